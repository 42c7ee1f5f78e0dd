# ruff: noqa: RUF001 - names in other scripts are a subject
"""The check of a website: by its address alone, and visited where the installation allows it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks import registry
from checks.base import Evidence
from checks.website_presence import check, page
from tests.agenthub.enrichment.test_own_cases import run
from tests.factories import make_hub

CHECK = "kyb.web_presence_check"
NAME = {"business_name": "Acorn Bakery Ltd"}
HOST = "acornbakery.com"


def by_address(**values: str):
    return registry.get(CHECK).tools[0].run(Evidence(attested=NAME | values))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ({"website": "https://www.acornbakery.com/about"}, "inconclusive"),
        ({"website": "acornbakery.com", "contact_email_address": "us@acornbakery.com"}, "inconclusive"),
        ({"website": "acornbakery.com", "contact_email_address": "us@gmail.com"}, "inconclusive"),
        ({"website": "acornbakery.com", "contact_email_address": "us@other.com"}, "review"),
        ({"website": "https://acorn.wixsite.com/home"}, "review"),
        ({"website": "https://bit.ly/3xYz"}, "review"),
        ({"website": "https://www.facebook.com/acorn"}, "review"),
        ({"website": "https://xn--corn-53d.com"}, "review"),
        ({"website": "https://\u0430cornbakery.com"}, "review"),
        ({"website": "https://xn--.com"}, "review"),
        ({"website": "http://10.0.0.7/"}, "review"),
        ({"website": "http://[::1]/"}, "review"),
        ({"website": "https://intranet"}, "review"),
        ({"website": "javascript:alert(1)"}, "review"),
        ({"website": "http://[broken"}, "review"),
        ({"website": "https://acorn bakery.com"}, "review"),
        ({"website": "https://a.example:99999999"}, "review"),
        ({}, "not_applicable"),
    ],
)  # fmt: skip
def test_an_address_is_doubted_or_left_open_and_never_passed_unseen(text, verdict):
    outcome = by_address(**text)
    assert (outcome.verdict, bool(outcome.passed)) == (verdict, False)


def test_what_was_not_looked_at_is_said():
    outcome = by_address(website="https://acornbakery.com")
    content = outcome.payload["website_presence"]
    assert content["mode"] == "offline"
    assert "not visited" in outcome.explanation


class Site(BaseHTTPRequestHandler):
    """Answers what the test says: {path: (status, headers, body)}."""

    answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
    hits: list[str] = []

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.hits.append(self.path)
        status, headers, body = self.answers.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """A visitor who has seen enough of a large page hangs up."""


@pytest.fixture
def port(monkeypatch, settings) -> Iterator[int]:
    """A site on this machine that names lead to, as the internet's would."""
    Site.answers, Site.hits = {}, []
    server = Server(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    rows = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", server.server_port))
    ]
    resolve = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo",
        lambda host, *a, **k: rows if str(host).endswith(".com") else resolve(host, *a, **k),
    )  # fmt: skip
    settings.WEBSITE_VISITS = True
    settings.OUTBOUND_ALLOW = frozenset(
        (host, server.server_port) for host in (HOST, "other-domain.com")
    )
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


def visit(port: int, path: str = "/", **values: str) -> dict[str, Any]:
    website = f"http://{HOST}:{port}{path}"
    return dict(run(make_hub(), CHECK, NAME | {"website": website} | values))


def states(result: dict[str, Any]) -> dict[str, str]:
    return {
        row["label"]: row["state"]
        for row in result["payload"]["website_presence"]["rows"]
    }


def html(words: str, title: str = "Home") -> tuple[int, dict[str, str], bytes]:
    body = (
        f"<html><head><title>{title}</title></head><body>{words}</body></html>".encode()
    )
    return 200, {"Content-Type": "text/html; charset=utf-8"}, body


LOREM = (
    "bread and cakes from our ovens to your table every day of the week since long ago "
    * 3
)


@pytest.mark.django_db
class TestVisits:
    def test_a_page_that_names_the_business_is_kept(self, port):
        Site.answers["/"] = html(
            f"<p>{LOREM} &copy; ACORN &amp; BAKERY</p>", "Acorn Bakery: bread"
        )
        result = visit(port)
        facts = result["payload"]["website_presence"]["facts"]
        assert states(result) == {
            "Domain": "pass", "Name of the domain": "pass", "Answer": "pass",
            "Encryption": "review", "Page": "pass",
        }  # fmt: skip
        assert (facts["status"], facts["title"]) == (200, "Acorn Bakery: bread")
        assert facts["words"].startswith("bread and cakes")
        assert len(facts["sha256"]) == 64

    @pytest.mark.parametrize(
        ("answer", "label", "state"),
        [
            (html(LOREM, "Somebody else"), "Page", "review"),
            (html("This domain is for sale! Acorn Bakery"), "Page", "review"),
            (html("<script>Acorn Bakery</script>"), "Page", "unknown"),
            (
                (200, {"Content-Type": "application/pdf"}, b"%PDF- Acorn Bakery"),
                "Page",
                "unknown",
            ),
            ((404, {}, b""), "Answer", "review"),
            ((403, {}, b""), "Answer", "unknown"),
            ((302, {"Location": "/"}, b""), "Answer", "review"),
            ((302, {"Location": "http://[broken"}, b""), "Answer", "review"),
        ],
    )
    def test_what_else_is_there(self, port, answer, label, state):
        Site.answers["/"] = answer
        result = visit(port)
        assert states(result)[label] == state
        assert result["verdict"] in {"review", "inconclusive"}

    def test_a_redirect_is_followed_and_another_domain_told(self, port):
        Site.answers["/"] = (
            301,
            {"Location": f"http://other-domain.com:{port}/x"},
            b"",
        )
        Site.answers["/x"] = html(f"Acorn Bakery {LOREM}")
        assert states(visit(port))["Leads to"] == "review"

    def test_no_way_leads_inside(self, port, settings):
        settings.DESK_URL = f"http://{HOST}:{port}"
        result = visit(port)
        assert "not allowed" in result["explanation"]
        settings.DESK_URL = "http://127.0.0.1:1"
        Site.answers["/"] = (302, {"Location": f"http://127.0.0.1:{port}/inside"}, b"")
        assert "not allowed" in visit(port)["explanation"]
        assert "/inside" not in Site.hits

    def test_a_loop_and_a_flood_end(self, port):
        Site.answers["/a"] = (302, {"Location": "/b"}, b"")
        Site.answers["/b"] = (302, {"Location": "/a"}, b"")
        assert "too often" in visit(port, "/a")["explanation"]
        Site.answers["/"] = html(f"Acorn Bakery {LOREM}" + "<" * (2 << 20))
        assert states(visit(port))["Page"] == "pass"

    @pytest.mark.parametrize("url", ["http://[bad", "//["])
    def test_a_redirect_to_what_is_no_url_is_for_a_person_to_see(self, port, url):
        Site.answers["/"] = (302, {"Location": url}, b"")
        result = visit(port)
        assert (result["verdict"], states(result)["Answer"]) == ("review", "review")

    def test_nobody_there_is_for_a_person_to_see(self, port):
        result = visit(9)
        assert (result["verdict"], states(result)["Answer"]) == ("review", "review")


@given(st.binary(max_size=500), st.text(max_size=60))
def test_no_page_breaks_the_reader(junk, content_type):
    for body in (
        junk,
        b"<title>" + junk,
        b"<meta charset=" + junk + b"><script" + junk,
    ):
        words = page.read(body, "text/html; charset=" + content_type)
        assert len(words.title) <= 300
        assert words.title.isprintable()


BREAD = {
    "latin": "we sell the best bread and cakes in town " * 10,
    "cyrillic": "мы продаем лучший хлеб и торты в городе " * 10,
    "arabic": "نبيع أفضل الخبز والكعك في المدينة " * 10,
    "kana": "私たちは町で一番おいしいパンを作っています。" * 10,
    "han": "我们是城里最好的面包店，欢迎光临。" * 10,
    "hindi": "हम शहर में सबसे अच्छी रोटी बेचते हैं " * 10,
}


@pytest.mark.parametrize(
    ("name", "title", "text", "state"),
    [
        ("阿里巴巴集团控股有限公司", "阿里巴巴", "han", "pass"),
        ("トヨタ自動車株式会社", "トヨタ自動車", "kana", "pass"),
        ("㈱ソニー", "ソニー", "kana", "pass"),
        ("有限会社山田", "鈴木", "kana", "review"),
        ("삼성전자 주식회사", "삼성전자", "latin", "pass"),
        ("บริษัท ปตท จำกัด", "ปตท", "latin", "pass"),
        ("ООО «Ромашка»", "Ромашка — цветы", "cyrillic", "pass"),
        ("ООО «Ромашка»", "Ромашки", "cyrillic", "review"),
        ("Severstal LLC", "Северсталь", "cyrillic", "pass"),
        ("Ostrov LLC", "Восток", "cyrillic", "unknown"),
        ("Vostok LLC", "Восток", "cyrillic", "pass"),
        ("شركة أرامكو السعودية", "ارامكو السعوديه", "arabic", "pass"),
        ("مؤسسة الفجر", "الشمس", "arabic", "review"),
        ('טבע תעשיות בע"מ', "טבע תעשיות", "latin", "pass"),
        ("Αφοί Παπαδόπουλοι Α.Ε.", "ΑΦΟΙ ΠΑΠΑΔΟΠΟΥΛΟΙ", "latin", "pass"),
        ("Bharti Airtel", "भारती एयरटेल", "hindi", "unknown"),
        ("Müller & Söhne GmbH", "Mueller und Söhne", "latin", "pass"),
        ("Baeckerei Gross GmbH", "Bäckerei Groß", "latin", "pass"),
        ("Northwind Traders Ltd", "NorthwindTraders", "latin", "pass"),
        ("Northwind Traders Ltd", "write to us@northwind-traders.com", "latin", "review"),
        ("Booking.com B.V.", "Booking.com", "latin", "pass"),
        ("Nordlys AS", "Nordlyset", "latin", "review"),
    ],
)  # fmt: skip
def test_a_page_names_a_business_in_its_own_script(name, title, text, state):
    body = f"<title>{title}</title><p>{BREAD[text]}</p>".encode()
    words = page.read(body, "text/html; charset=utf-8")
    assert check.content(words, [name])["state"] == state


@pytest.mark.parametrize(
    ("markup", "state"),
    [
        ('<img src="a.png" alt="Acorn Bakery">', "pass"),
        ("<meta property='og:site_name' content='Acorn Bakery'>", "pass"),
        ('<meta name="viewport" content="Acorn Bakery">', "review"),
        ("<!-- <p>Acorn Bakery</p> -->", "review"),
        ("<!-- x --> Acorn Bakery", "pass"),
        ("<script>Acorn Bakery</script>", "review"),
    ],
)
def test_labels_of_a_page_name_it_and_comments_do_not(markup, state):
    body = f"<title>Home</title>{markup}<p>{BREAD['latin']}</p>".encode()
    words = page.read(body, "text/html")
    assert check.content(words, ["Acorn Bakery Ltd"])["state"] == state


@pytest.mark.parametrize(
    ("title", "text", "is_parked"),
    [
        ("acorn.de", "Diese Domain steht zum Verkauf", True),
        ("acorn.com.tr", "Bu alan adı satılıktır", True),
        ("acorn.ru", "Домен продаётся", True),
        ("acorn.cn", "该域名出售", True),
        ("acorn.fr", f"Ce nom de domaine est à vendre. {BREAD['latin'] * 2}", True),
        ("Acorn Bakery", "Site en construction", True),
        ("Acorn Bakery", "Hier entsteht eine neue Seite von Acorn Bakery", True),
        ("Apache2 Ubuntu Default Page: It works", BREAD["latin"] * 2, True),
        ("Acorn Bakery – Just another WordPress site", "Hello world!", True),
        ("Acorn Bakery", f"New cakes coming soon! {BREAD['latin']}", False),
        ("Acorn Builders", f"Our houses under construction. {BREAD['latin']}", False),
        ("Acorn Bakery", f"Try our yeast. It works! {BREAD['latin']}", False),
    ],
)
def test_a_parked_page_is_known_in_many_languages(title, text, is_parked):
    body = f"<title>{title}</title><p>{text}</p>".encode()
    words = page.read(body, "text/html; charset=utf-8")
    how = check.content(words, ["Acorn"])["how"]
    assert ("parked or unfinished" in how) == is_parked


@pytest.mark.parametrize("text", ["a" * 2_000_000, "a." * 900_000, "面" * 500_000])
def test_a_word_without_an_end_takes_no_time(text):
    words = page.read(text.encode(), "text/plain; charset=utf-8")
    assert len(words.text) <= 60_000
    assert check.content(words, ["Acorn Bakery Ltd"])["state"] in {"review", "unknown"}


def test_text_without_tags_is_read():
    assert page.read(b"Acorn Bakery", "text/plain").text == "Acorn Bakery"


def test_scripts_are_no_words():
    result = page.read(
        b"<p>One<style>b{}</style><SCRIPT>x<y</SCRIPT> two &amp; three", "text/html"
    )
    assert result.text == "One two & three"
