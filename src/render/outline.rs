//! The smallest convex shape around some places.

use super::canvas::Place;

/// The corners of the convex hull, in turn (Andrew's monotone chain, 1979). One place, or two, stay as they are.
pub(super) fn outline(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    places.dedup();
    if places.len() < 3 {
        return places;
    }
    let mut corners = half(places.iter());
    corners.extend(half(places.iter().rev()));
    corners
}

/// One side of the hull, without its last place, which begins the other side.
fn half<'a>(places: impl Iterator<Item = &'a Place>) -> Vec<Place> {
    let mut side: Vec<Place> = Vec::new();
    for place in places {
        while let [.., a, b] = side.as_slice() {
            if (b.x - a.x) * (place.y - a.y) - (b.y - a.y) * (place.x - a.x) > 0.0 {
                break;
            }
            side.pop();
        }
        side.push(*place);
    }
    side.pop();
    side
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(list: &[(f64, f64)]) -> Vec<Place> {
        list.iter().map(|(x, y)| Place { x: *x, y: *y }).collect()
    }

    #[test]
    fn only_corners_stay() {
        let inside_and_edge = places(&[(0.0, 0.0), (4.0, 0.0), (2.0, 0.0), (2.0, 1.0), (2.0, 4.0), (1.0, 2.0)]);
        assert_eq!(outline(inside_and_edge), places(&[(0.0, 0.0), (4.0, 0.0), (2.0, 4.0)]));
        assert_eq!(outline(places(&[(1.0, 0.0), (0.0, 0.0), (1.0, 0.0)])), places(&[(0.0, 0.0), (1.0, 0.0)]));
        assert_eq!(outline(places(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)])), places(&[(0.0, 0.0), (2.0, 0.0)]));
    }
}
