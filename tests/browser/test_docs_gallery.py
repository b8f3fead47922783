"""The gallery of the built documentation: small pictures that lead to their sections."""

import documents
import pytest

GALLERY = documents.BUILT / "gallery.html"
pytestmark = pytest.mark.skipif(not GALLERY.exists(), reason="not built; run: make docs")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_small_pictures_are_loaded_and_lead_to_their_sections(browser, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(GALLERY.as_uri())
    cards = page.locator("ul.pictures > li > a")
    assert cards.count() == page.locator("figure.drawn").count() > 30
    for card in cards.all():
        section = page.locator(f"section{card.get_attribute('href')}")
        assert section.locator("h3").inner_text().startswith(card.inner_text())
        picture = card.locator(f"img.only-{scheme}")
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth)") > 0
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    context.close()
