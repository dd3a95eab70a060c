package privy;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import game.Game;
import game.types.board.SiteType;
import main.collections.FastArrayList;
import main.grammar.Description;
import main.grammar.Report;
import main.options.UserSelections;
import other.AI;
import other.context.Context;
import other.move.Move;
import other.state.container.ContainerState;
import other.trial.Trial;
import utils.AIFactory;

/**
 * Privy and Ludii, both ways: in Ludii an agent that asks a running {@code privy}; as a program an engine of Privy's protocol that asks an agent of Ludii.
 *
 * <p>Both need the games of this folder, whose files say how Ludii's sites are called. The agent starts the command in the environment variable {@code PRIVY}, or
 * {@code privy}. The program is started with the name of an agent and the folder of the games.
 */
public final class Privy extends AI
{
	private static final Pattern POINTS = Pattern.compile("Points in the order of the sites: ([a-z0-9 ]+)");

	/** A whole move of Privy's protocol. A chain of jumps is several moves in Ludii. */
	private static final class Turn
	{
		final String text;
		final List<Move> moves;
		final Context after;

		Turn(final String text, final List<Move> moves, final Context after)
		{
			this.text = text;
			this.moves = moves;
			this.after = after;
		}
	}

	/** The names of sites and moves of one game. */
	private static final class Names
	{
		final Game game;
		/** Names of the points by site. */
		final List<String> points;
		/** Index of the General among Ludii's components, and the player who owns it. */
		final int general;
		final int owner;

		Names(final Game game)
		{
			this.game = game;
			points = points(String.join(" ", game.metadata().info().getRules()));
			int found = 0;
			for (int i = 1; i < game.equipment().components().length; i++)
				if (game.equipment().components()[i].getNameWithoutNumber().equals("General"))
					found = i;
			general = found;
			owner = game.equipment().components()[found].owner();
		}

		/** Returns the names of points that a game's description has, in the order of the sites. */
		static List<String> points(final String description)
		{
			final Matcher found = POINTS.matcher(description);
			if (!found.find())
				throw new IllegalArgumentException("the game has no names of points");
			return Arrays.asList(found.group(1).split(" "));
		}

		/** Returns the sites in rows from the top, each from the left. */
		static Collection<Map<String, Integer>> rows(final List<String> points)
		{
			final Map<Integer, Map<String, Integer>> rows = new TreeMap<>(Collections.reverseOrder());
			for (int site = 0; site < points.size(); site++)
				rows.computeIfAbsent(row(points.get(site)), k -> new TreeMap<>()).put(points.get(site), site);
			return rows.values();
		}

		/** Returns a new game of Ludii. */
		Context begin()
		{
			final Context context = new Context(game, new Trial(game));
			game.start(context);
			return context;
		}

		/** Returns the number of the component on each site, 0 for none. */
		int[] pieces(final Context context)
		{
			final ContainerState board = context.state().containerStates()[0];
			final int[] pieces = new int[points.size()];
			for (int site = 0; site < pieces.length; site++)
				pieces[site] = board.what(site, SiteType.Vertex);
			return pieces;
		}

		/** Returns the text of a move of Ludii; that of a later jump of a chain has no point of departure. */
		String text(final Context before, final Move move, final Context after, final boolean chain)
		{
			final int from = move.fromNonDecision();
			final int to = move.toNonDecision();
			if (before.state().mover() != owner)
				return points.get(from) + "-" + points.get(to);
			final int[] old = pieces(before);
			final int[] now = pieces(after);
			if (now[from] == general)
			{
				final List<String> taken = new ArrayList<>();
				for (int site = 0; site < old.length; site++)
					if (old[site] != now[site])
						taken.add(points.get(site));
				taken.sort((a, b) -> row(a) != row(b) ? row(a) - row(b) : a.charAt(0) - b.charAt(0));
				return points.get(from) + ":" + String.join("", taken);
			}
			boolean jump = false;
			for (int i = 0; i < move.betweenNonDecision().size(); i++)
				jump |= old[move.betweenNonDecision().get(i)] != now[move.betweenNonDecision().get(i)];
			final boolean free = score(before) > score(after);
			return (chain ? "" : points.get(from)) + (free ? "~" : jump ? "x" : "-") + points.get(to);
		}

		/** Returns the whole moves of the side to move, none if the game is over. */
		List<Turn> turns(final Context context)
		{
			final List<Turn> turns = new ArrayList<>();
			extend(context, "", Collections.emptyList(), turns);
			return turns;
		}

		private void extend(final Context context, final String text, final List<Move> moves, final List<Turn> turns)
		{
			for (final Move move : context.game().moves(context).moves())
			{
				// Ludii lets a side that cannot move pass; in these games it has lost.
				if (move.isPass())
					continue;
				final Context after = new Context(context);
				after.game().apply(after, move);
				final String longer = text + text(context, move, after, !text.isEmpty());
				final List<Move> all = new ArrayList<>(moves);
				all.add(move);
				if (isWhole(context, after))
					turns.add(new Turn(longer, all, after));
				else
					extend(after, longer, all, turns);
			}
		}

		/** True if a move has ended the turn of its side. */
		static boolean isWhole(final Context before, final Context after)
		{
			return after.trial().over() || after.state().mover() != before.state().mover();
		}

		/** Returns the General's score: the free jumps left, or 1 once it has stood on the apex; 0 in games without either. */
		private int score(final Context context)
		{
			return context.game().requiresScore() ? context.score(owner) : 0;
		}

		private static int row(final String point)
		{
			return Integer.parseInt(point.substring(1));
		}

		/** Returns Privy's text of a position: its rows from the top, the side to move and the flag or the free jumps. */
		String fen(final Context context)
		{
			final int[] pieces = pieces(context);
			final List<String> texts = new ArrayList<>();
			for (final Map<String, Integer> row : rows(points))
			{
				final StringBuilder text = new StringBuilder();
				for (final int site : row.values())
					text.append(pieces[site] == 0 ? "1" : pieces[site] == general ? "G" : "r");
				texts.add(text.toString());
			}
			final int score = score(context);
			final String flags = context.game().name().equals("kings-gonu") ? Integer.toString(score) : score == 1 ? "a" : "-";
			return String.join("/", texts) + (context.state().mover() == owner ? " g " : " r ") + flags + " 0 0 " + context.game().name();
		}
	}

	// The agent: Privy in Ludii

	private static final Pattern WINRATE = Pattern.compile(" winrate (\\S+)");

	private Process process;
	private BufferedReader answers;
	private BufferedWriter requests;
	private Names names;
	private String line = "";

	/** An agent for Ludii, which makes it by this constructor. */
	public Privy()
	{
		friendlyName = "Privy";
	}

	@Override
	public boolean supportsGame(final Game game)
	{
		try
		{
			start();
			return ask("variant " + game.name()).startsWith("=") && new Names(game).points.size() == game.board().topology().vertices().size();
		}
		catch (final IOException | RuntimeException fault)
		{
			System.err.println("Privy: " + fault.getMessage());
			return false;
		}
	}

	@Override
	public void initAI(final Game game, final int player)
	{
		names = new Names(game);
	}

	@Override
	public void closeAI()
	{
		if (process != null)
			process.destroy();
		process = null;
	}

	@Override
	public Move selectAction(final Game game, final Context context, final double maxSeconds, final int maxIterations, final int maxDepth)
	{
		// The game from its opening, to name its moves; a turn that has begun is left open.
		final Context replayed = names.begin();
		Context turn = new Context(replayed);
		final List<String> played = new ArrayList<>();
		String open = "";
		final List<Move> moves = context.trial().generateCompleteMovesList();
		for (final Move move : moves.subList(context.trial().numInitialPlacementMoves(), moves.size()))
		{
			final Context before = new Context(replayed);
			game.apply(replayed, move);
			open += names.text(before, move, replayed, !open.isEmpty());
			if (Names.isWhole(before, replayed))
			{
				played.add(open);
				open = "";
				turn = new Context(replayed);
			}
		}
		final List<Turn> turns = names.turns(turn);
		final int done = context.trial().numMoves() - turn.trial().numMoves();
		final String prefix = open;
		turns.removeIf(t -> !t.text.startsWith(prefix) || t.moves.size() <= done);
		if (turns.isEmpty())
			return game.moves(context).moves().get(0);
		final Turn best = turns.size() == 1 ? turns.get(0) : choose(turn, played, open, turns, maxSeconds, maxDepth);
		final Move move = best.moves.get(done);
		for (final Move legal : game.moves(context).moves())
			if (legal.equals(move))
				return legal;
		return move;
	}

	/** Returns the one of several moves that Privy plays, all of which begin with the jumps that are made. */
	private Turn choose(final Context turn, final List<String> played, final String open, final List<Turn> turns, final double maxSeconds, final int maxDepth)
	{
		try
		{
			start();
			final String game = turn.game().name();
			// Privy ends a game at the third occurrence of a position, where Ludii goes on: then the position alone counts.
			ask("variant " + game);
			final String position = ask("position startpos" + (played.isEmpty() ? "" : " moves " + String.join(" ", played)));
			if (!position.startsWith("=") || !ask("status").endsWith("to move"))
			{
				final String answer = ask("position fen " + names.fen(turn));
				if (!answer.startsWith("="))
					throw new IOException(answer);
			}
			final StringBuilder go = new StringBuilder("go");
			if (maxDepth > 0)
				go.append(" depth ").append(maxDepth);
			if (maxSeconds > 0)
				go.append(" time ").append(Math.max(1, (long) (1000 * maxSeconds)));
			if (!open.isEmpty())
			{
				go.append(" searchmoves");
				for (final Turn t : turns)
					go.append(' ').append(t.text);
			}
			final String answer = ask(go.toString());
			for (final String text : answer.split("\n"))
				if (text.startsWith("info "))
					line = text;
			final String best = answer.substring(answer.lastIndexOf(' ') + 1).trim();
			for (final Turn t : turns)
				if (t.text.equals(best))
					return t;
			throw new IOException("no move: " + answer);
		}
		catch (final IOException fault)
		{
			throw new IllegalStateException("Privy: " + fault.getMessage(), fault);
		}
	}

	@Override
	public double estimateValue()
	{
		final Matcher found = WINRATE.matcher(line);
		return found.find() ? 2 * Double.parseDouble(found.group(1)) - 1 : 0;
	}

	@Override
	public String generateAnalysisReport()
	{
		return line.isEmpty() ? null : "Privy: " + line;
	}

	private void start() throws IOException
	{
		if (process != null && process.isAlive())
			return;
		final String command = System.getenv().getOrDefault("PRIVY", "privy");
		process = new ProcessBuilder(command.split(" +")).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
		requests = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
	}

	/** Returns the answer to a request, without its empty line. Ludii's wish to interrupt ends a search. */
	private String ask(final String request) throws IOException
	{
		requests.write(request + "\n");
		requests.flush();
		final List<String> lines = new ArrayList<>();
		boolean interrupted = false;
		while (true)
		{
			while (!answers.ready() && process.isAlive())
			{
				if (wantsInterrupt && !interrupted)
				{
					requests.write("# interrupt\n");
					requests.flush();
					interrupted = true;
				}
				try
				{
					Thread.sleep(5);
				}
				catch (final InterruptedException stop)
				{
					Thread.currentThread().interrupt();
					throw new IOException("interrupted");
				}
			}
			final String text = answers.readLine();
			if (text == null)
				throw new IOException("the engine has ended");
			if (text.isEmpty())
				return String.join("\n", lines);
			lines.add(text);
		}
	}

	// The program: an agent of Ludii as an engine of the protocol

	private static final String COMMANDS = "protocol_version name version known_command list_commands list_variants variant clear_board position play legal_moves genmove go perft quit";

	/** A request that is refused, with the text of the answer. */
	private static final class Refused extends Exception
	{
		private static final long serialVersionUID = 1L;

		Refused(final String text)
		{
			super(text);
		}
	}

	/** An engine: an agent, the folder of the games, and the game that is played. */
	private static final class Engine
	{
		private final AI agent;
		private final File folder;
		/** The game and position that was compiled last: its id, then Privy's text if it is not the opening. */
		private String compiled = "";
		private Names names;
		private Context context;

		Engine(final AI agent, final File folder)
		{
			this.agent = agent;
			this.folder = folder;
		}

		/** Returns the answer to a command, its mark left out. */
		String answer(final String command, final List<String> words) throws Refused
		{
			switch (command)
			{
			case "protocol_version":
				return "2";
			case "name":
				return "Ludii " + agent.friendlyName();
			case "version":
				return main.Constants.LUDEME_VERSION;
			case "known_command":
				return Boolean.toString(words.size() == 1 && Arrays.asList(COMMANDS.split(" ")).contains(words.get(0)));
			case "list_commands":
				return COMMANDS.replace(' ', '\n');
			case "list_variants":
				return String.join("\n", variants());
			case "variant":
				if (words.isEmpty())
					return context().game().name();
				context = begin(words.get(0), Collections.emptyList());
				return "";
			case "clear_board":
				context = begin(context().game().name(), Collections.emptyList());
				return "";
			case "position":
				return position(words);
			case "play":
				if (words.size() == 2)
					turnOf(words.get(0));
				else if (words.size() != 1)
					throw new Refused("syntax error: play: expected a move, or a side and a move");
				context = play(context(), words.get(words.size() - 1));
				return "";
			case "legal_moves":
				final List<String> texts = new ArrayList<>();
				for (final Turn turn : names(context()).turns(context))
					texts.add(turn.text);
				Collections.sort(texts);
				return String.join(" ", texts);
			case "go":
				return "\nbestmove " + think(words).text;
			case "genmove":
				if (words.size() != 1)
					throw new Refused("syntax error: genmove: expected a side");
				turnOf(words.get(0));
				final Turn turn = think(Collections.emptyList());
				context = turn.after;
				return turn.text;
			case "perft":
				return Long.toString(perft(context(), number(words, 0)));
			case "quit":
				return "";
			default:
				throw new Refused("unknown command");
			}
		}

		private Context context() throws Refused
		{
			if (context == null)
				context = begin("sixteen-rebels", Collections.emptyList());
			return context;
		}

		/** Refuses a word that is not the side to move. */
		private void turnOf(final String side) throws Refused
		{
			final boolean isGeneral = side.matches("(?i)general|g|white|w");
			if (!isGeneral && !side.matches("(?i)rebels|r|black|b"))
				throw new Refused("syntax error: expected general or rebels, found " + side);
			if (isGeneral != (context().state().mover() == names(context).owner))
				throw new Refused("illegal move: it is the other side's turn");
		}

		/** Returns the names for a game; the one that was compiled last may be another, if its moves were refused. */
		private Names names(final Context of)
		{
			return of.game() == names.game ? names : new Names(of.game());
		}

		private List<String> variants()
		{
			final List<String> ids = new ArrayList<>();
			for (final String file : folder.list() == null ? new String[0] : folder.list())
				if (file.endsWith(".lud"))
					ids.add(file.substring(0, file.length() - 4));
			Collections.sort(ids);
			return ids;
		}

		/** Returns a new game from the opening or from a position, the fields of Privy's text. */
		private Context begin(final String id, final List<String> fields) throws Refused
		{
			if (!variants().contains(id))
				throw new Refused("unknown variant: " + id);
			if (!String.join(" ", fields).matches("(\\S+( [gr]( (-|a|a?\\d)( \\d{1,10}( \\d{1,10}( " + id + ")?)?)?)?)?)?"))
				throw new Refused("illegal position: expected rows, g or r, flags, two numbers and " + id);
			final String key = id + fields;
			if (!key.equals(compiled))
			{
				try
				{
					final String text = Files.readString(new File(folder, id + ".lud").toPath());
					final Description description = new Description(fields.isEmpty() ? text : placed(text, fields));
					final UserSelections none = new UserSelections(new ArrayList<>());
					names = new Names((Game) compiler.Compiler.compile(description, none, new Report(), false));
					compiled = key;
				}
				catch (final IOException fault)
				{
					throw new Refused("cannot load file: " + fault.getMessage());
				}
			}
			final Context begun = names.begin();
			final int mover = fields.size() < 2 ? 1 : fields.get(1).equals("g") ? names.owner : 3 - names.owner;
			if (mover != begun.state().mover())
			{
				begun.setMoverAndImpliedPrevAndNext(mover);
				begun.trial().clearLegalMoves();
			}
			return begun;
		}

		/** Returns the description of a game that begins with a position. */
		private static String placed(final String description, final List<String> fields) throws Refused
		{
			final String[] texts = fields.get(0).split("/");
			int general = -1;
			String rebels = "";
			int at = 0;
			for (final Map<String, Integer> row : Names.rows(Names.points(description)))
			{
				final StringBuilder pieces = new StringBuilder();
				for (final char piece : (at < texts.length ? texts[at++] : "").toCharArray())
					pieces.append(Character.isDigit(piece) ? ".".repeat(piece - '0') : String.valueOf(piece));
				final List<Integer> sites = new ArrayList<>(row.values());
				if (pieces.length() != sites.size())
					throw new Refused("illegal position: a row has " + sites.size() + " points, not " + pieces.length());
				for (int i = 0; i < sites.size(); i++)
					if (pieces.charAt(i) == 'G' && general < 0)
						general = sites.get(i);
					else if (pieces.charAt(i) == 'r')
						rebels += " " + sites.get(i);
					else if (pieces.charAt(i) != '.')
						throw new Refused("illegal position: unknown or second piece " + pieces.charAt(i));
			}
			if (general < 0 || at != texts.length)
				throw new Refused("illegal position: there is no General, or a row too many");
			final String flags = fields.size() > 2 ? fields.get(2) : "-";
			final String jumps = flags.matches("[0-9]") ? flags : "0";
			final String apex = flags.equals("a") ? " (set Score P$1 1)" : "";
			return description.replaceFirst("\\(place \"Rebel(\\d)\" \\(sites \\{[^}]*\\}\\)\\)", "(place \"Rebel$1\" (sites {" + rebels + "}))")
					.replaceFirst("\\(set Score P(\\d) 3\\)", "(set Score P$1 " + jumps + ")")
					.replaceFirst("\\(place \"General(\\d)\" \\d+\\)", "(place \"General$1\" " + general + ")" + apex);
		}

		private String position(final List<String> words) throws Refused
		{
			final int end = words.contains("moves") ? words.indexOf("moves") : words.size();
			final boolean isText = !words.isEmpty() && words.get(0).equals("fen") && end > 1;
			if (!isText && !words.subList(0, end).equals(Collections.singletonList("startpos")))
				throw new Refused("syntax error: position: expected startpos or fen and a text");
			final List<String> fields = isText ? new ArrayList<>(words.subList(1, end)) : Collections.emptyList();
			Context next = begin(fields.size() > 5 ? fields.get(5) : context().game().name(), fields);
			for (final String text : words.subList(Math.min(end + 1, words.size()), words.size()))
				next = play(next, text);
			context = next;
			return "";
		}

		private Context play(final Context before, final String text) throws Refused
		{
			if (!text.matches("(?i)[a-z]\\d+([-~:x]?[a-z]\\d+)+"))
				throw new Refused("syntax error: expected a move, found " + text);
			final List<Turn> fitting = new ArrayList<>();
			for (final Turn turn : names(before).turns(before))
				if (turn.text.equalsIgnoreCase(text))
					return turn.after;
				else if (ends(turn.text).equalsIgnoreCase(text))
					fitting.add(turn);
			if (fitting.size() != 1)
				throw new Refused("illegal move: " + text);
			return fitting.get(0).after;
		}

		/** Returns the first and the last point of a move, which name it where no other move has them. */
		private static String ends(final String text)
		{
			final String[] points = text.split("[-x~]");
			return points[0] + points[points.length - 1];
		}

		/** Returns the number behind a word, or another one if the word is missing. */
		private static int limit(final List<String> words, final String word, final int otherwise) throws Refused
		{
			final int at = words.indexOf(word);
			return at < 0 ? otherwise : number(words, at + 1);
		}

		private static int number(final List<String> words, final int index) throws Refused
		{
			try
			{
				return Integer.parseInt(words.get(index));
			}
			catch (final IndexOutOfBoundsException | NumberFormatException fault)
			{
				throw new Refused("syntax error: expected a number");
			}
		}

		/** Returns the move that the agent chooses. Each jump of a chain is a choice of its own and has four fifths of the time that is left. */
		private Turn think(final List<String> limits) throws Refused
		{
			final List<Turn> turns = names(context()).turns(context);
			if (turns.isEmpty())
				throw new Refused("game over");
			final Game game = context.game();
			if (limits.contains("searchmoves"))
				throw new Refused("syntax error: go: an agent of Ludii chooses among all moves");
			final int milliseconds = limit(limits, "time", limit(limits, "clock", 40000) / 40);
			final int depth = limit(limits, "depth", -1);
			final long end = System.nanoTime() + 1000000L * milliseconds;
			final Context now = new Context(context);
			agent.initAI(game, now.state().mover());
			String text = "";
			while (true)
			{
				final Context before = new Context(now);
				final FastArrayList<Move> legal = game.moves(now).moves();
				final double left = Math.max(0.01, 0.8 * (end - System.nanoTime()) / 1e9);
				final Move move = legal.size() == 1 ? legal.get(0) : agent.selectAction(game, new Context(now), left, -1, depth);
				game.apply(now, move);
				text += names.text(before, move, now, !text.isEmpty());
				if (Names.isWhole(before, now))
					break;
			}
			for (final Turn turn : turns)
				if (turn.text.equals(text))
					return turn;
			throw new IllegalStateException("no such move: " + text);
		}

		/** Returns the number of sequences of moves of this length. */
		private long perft(final Context from, final int depth)
		{
			if (depth == 0)
				return 1;
			final List<Turn> turns = names(from).turns(from);
			if (depth == 1)
				return turns.size();
			long count = 0;
			for (final Turn turn : turns)
				count += perft(turn.after, depth - 1);
			return count;
		}
	}

	/** Answers requests on standard input. Arguments: the name of an agent, as Ludii lists it, and the folder of the games. */
	public static void main(final String[] arguments) throws IOException
	{
		if (arguments.length != 2)
		{
			System.err.println("usage: java -cp Ludii.jar:privy.jar privy.Privy AGENT FOLDER");
			System.exit(2);
		}
		// Standard output is for answers alone; what Ludii prints goes to standard error.
		final PrintStream output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
		System.setOut(System.err);
		final AI agent = AIFactory.createAI(arguments[0]);
		if (agent == null)
			System.exit(2);
		final Engine engine = new Engine(agent, new File(arguments[1]));
		final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = input.readLine(); line != null; line = input.readLine())
		{
			final String text = line.replaceAll("#.*", "").replace('\t', ' ').replaceAll("\\p{Cntrl}", "").trim();
			if (text.isEmpty())
				continue;
			final List<String> words = new ArrayList<>(Arrays.asList(text.split(" +")));
			String id = words.get(0).matches("\\d+") ? words.remove(0) : "";
			final String command = words.isEmpty() ? "" : words.remove(0);
			String answer;
			try
			{
				if (id.length() > 10 || !id.isEmpty() && Long.parseLong(id) > Integer.MAX_VALUE)
				{
					id = "";
					throw new Refused("syntax error: id");
				}
				if (command.isEmpty() || text.length() > 65536 || text.indexOf('\uFFFD') >= 0)
					throw new Refused("syntax error: expected a command of at most 64 KiB in UTF-8");
				final String body = engine.answer(command, words);
				answer = "=" + id + (body.startsWith("\n") ? "" : " ") + body;
			}
			catch (final Refused refused)
			{
				answer = "?" + id + " " + refused.getMessage();
			}
			output.print(answer + "\n\n");
			output.flush();
			if (command.equals("quit"))
				System.exit(0);
		}
		System.exit(0);
	}
}
