"""The distributions: licence, metadata, page, and tests that run from the source distribution."""

from __future__ import annotations

import email.message
import email.parser
import importlib.metadata
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import IN_REPOSITORY, PACKAGE, PRIVY, ROOT

from privy_engine import __version__

LICENCE = (PACKAGE / "LICENSE").read_bytes()
in_repository = pytest.mark.skipif(not IN_REPOSITORY, reason="not in the repository")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both distributions."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=PACKAGE, check=True)
    return folder


@pytest.fixture(scope="module")
def sources(built: Path) -> Path:
    """The source distribution, unpacked."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        archive.extractall(built, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # type: ignore[arg-type]
    return built / f"privy_engine-{__version__}"


def metadata(text: str) -> email.message.Message:
    return email.parser.Parser().parsestr(text)


def check(told: email.message.Message) -> None:
    page = told.get_payload()
    assert (told["Version"], told["License-Expression"], told["License-File"]) == (__version__, "MIT", "LICENSE")
    assert isinstance(page, str) and "# Privy from Python" in page
    links = re.findall(r"\]\(([^)]*)\)|href=\"([^\"]*)\"|src=\"([^\"]*)\"", page)
    assert not [link for link in links if not re.match("https://|#", "".join(link))], "only the repository has them"


def test_the_wheel_has_the_licence_and_a_page_of_its_own(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        folder = f"privy_engine-{__version__}.dist-info"
        assert wheel.read(f"{folder}/licenses/LICENSE") == LICENCE
        check(metadata(wheel.read(f"{folder}/METADATA").decode()))
        assert "privy_engine/py.typed" in wheel.namelist()
        assert {name.split("/")[0] for name in wheel.namelist()} == {"privy_engine", folder}


def test_the_source_distribution_builds_and_tests_itself(sources: Path) -> None:
    assert (sources / "LICENSE").read_bytes() == LICENCE
    check(metadata((sources / "PKG-INFO").read_text(encoding="utf-8")))
    rebuild = [sys.executable, "-m", "hatchling", "build", "-d", "again"]
    subprocess.run(rebuild, cwd=sources, check=True)
    first, second = next(sources.parent.glob("*.tar.gz")), next(sources.glob("again/*.tar.gz"))
    with tarfile.open(first) as one, tarfile.open(second) as other:
        assert set(one.getnames()) == set(other.getnames())
    # A test of each file, and those that read files which stand elsewhere in the repository.
    chosen = "page_runs or other_rules or refused_search or table_tells or play_each or in_order or letter"
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", chosen]
    tested = subprocess.run(words, cwd=sources, env={**os.environ, "PRIVY": PRIVY}, capture_output=True, text=True)
    assert tested.returncode == 0, tested.stdout
    assert re.search(r"\b1\d passed", tested.stdout), tested.stdout


def test_the_version_is_told_in_one_place() -> None:
    assert importlib.metadata.version("privy-engine") == __version__
    assert "version" not in re.findall(
        r"^(\w+) = ", (PACKAGE / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )


@in_repository
def test_the_version_is_that_of_the_workspace() -> None:
    for manifest in ["Cargo.toml", "src/mpi/Cargo.toml"]:
        versions = re.findall(r'^version = "(.*)"', (ROOT / manifest).read_text(encoding="utf-8"), re.MULTILINE)
        assert versions == [__version__], manifest


@in_repository
def test_each_package_has_the_licence() -> None:
    licence = (ROOT / "LICENSE").read_bytes()
    packages = [*(manifest.parent for manifest in ROOT.glob("src/*/Cargo.toml")), PACKAGE.parent, PACKAGE]
    assert len(packages) >= 15
    for package in packages:
        assert (package / "LICENSE").read_bytes() == licence, package
