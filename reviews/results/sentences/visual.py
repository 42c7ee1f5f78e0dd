"""What the visual inspection of documents writes, and how values were read from them."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("1 page; {changes}."),
    _("{count} pages; {changes}."),
    _(
        "{count} words, margins {percent} left, {percent2} right, {percent3} above and {percent4} below"
    ),
    _("{percent} of the lines are centred on one axis"),
    _("{percent} of the lines begin at one left edge"),
    _("no words to measure the layout by"),
    _("page {count} is askew by {degrees}"),
    _("page {count} is turned by {degrees}"),
    _("{count} words run off the page"),
    _("{count} words overlap others"),
    _("a logo or crest stands at the head of {pages}"),
    _("{count} of {count2} sections could be checked, and passed."),
    _("{count} of {count2} sections could be checked; not passed: {list}."),
    _(
        "{count} of {count2} sections could be checked; the words of the document could not be read."
    ),
    _("cross referencing and consistency check"),
    _("document analysis and classification"),
    _("seal verification"),
    _("signature verification"),
    _("document layout and content verification"),
    _("authenticity verification"),
    _("It is {kind}, by its title and wording."),
    _("It looks like {kind}, which was not asked for."),
    _("1 seal or round stamp on {pages}."),
    _("{count} seals or round stamps on {pages}."),
    _("No seal; none is expected on {kind}."),
    _("No seal; {kind} may do without."),
    _("No signature; none is expected on {kind}."),
    _("No signature; {kind} should be signed."),
    _("No signature; {kind} may do without."),
    _("Handwriting like a signature on {pages}."),
    _("These marks can be copied; they are not proof."),
    _("It bears {list}."),
    _("certification by the register"),
    _("authentication by the register"),
    _("a way to verify it"),
    _("A certificate without words by which a register certifies it."),
    _("not checked: no mark of a register was found."),
    _("The pages could not be opened."),
    _("not attested; {how}"),
    _("the date that the document bears"),
    _("read back from its postal code; its role from the words before it"),
    _("the clause of its purposes"),
    _("words of its title and text"),
    _("several words of registers"),
    _("labelled as the date of issue"),
    _("labelled as the address that is served"),
    _("the lines above an address"),
    _("labelled as the date of the notice"),
    _("labelled as EIN, with a prefix that the IRS assigns"),
    _("the number of the notice"),
    _("the name of the office"),
    _("1 party screened."),
    _("{count} parties screened."),
    _("{name}: 1 hit."),
    _("{name}: {count} hits."),
    _("Incorporation address incomplete: {list}."),
    _("Operating address incomplete: {list}."),
    _("street"),
    _("city"),
    _("postal code"),
    _("This is a certificate of incorporation of {name}."),
    _("This is an extract of a register of companies of {name}."),
    _("This is articles of incorporation of {name}."),
    _("Incorporated {count} years ago."),
    _("{count} pages, of different sizes; {changes}."),
    _("blank: {pages}"),
    _("a header repeats on {count} of {count2} pages"),
    _("a footer repeats on {count} of {count2} pages"),
    _("its pages are numbered to {count}, and {pages} are missing"),
    _(
        "No seal, no digital signature and no code of a register, one of which {kind} bears."
    ),
    _("No seal; a digital signature stands in its place (see fraud indicators)."),
    _("No seal; a code that agrees with the text stands in its place."),
    _("cannot be judged: a round mark is there that may be a seal or a logo."),
    _("cannot be judged: there are strokes that may be a signature, or a drawing."),
    _(
        "cannot be judged: no seal, and the kind of document is not known, so that none may be expected."
    ),
    _(
        "cannot be judged: no signature, and the kind of document is not known, so that none may be expected."
    ),
    _("cannot be judged: no seal, but {changes}."),
    _("cannot be judged: no signature, but {changes}."),
    _("{pages} could not be drawn ({error})"),
    _(
        "{pages} not looked at: of long documents the first {count} and the last {count2} are"
    ),
    _("pages from {count} on not opened"),
    _("No signature; the line to sign on is empty ({pages}); {kind} should be signed."),
    _("No signature; the line to sign on is empty ({pages}); {kind} may do without."),
    _(
        "A digital signature is present without a visible field; it was not validated here."
    ),
    _(
        "A digital signature is present in a field of the page; it was not validated here."
    ),
    _("1 line to sign on is empty on {pages}."),
    _("{count} lines to sign on are empty on {pages}."),
    _("a code that agrees with its text"),
    _("a digital signature (present, not validated)"),
    _("The {code} on page {count} agrees: {how}."),
    _("The {code} on page {count} contradicts the document: {how}."),
    _(
        "The {code} on page {count} not compared: {how}, and nothing that the document states."
    ),
    _(
        "The {code} on page {count} not compared: the words of the document could not be read."
    ),
    _("not compared: the words of the document could not be read"),
    _("not compared: {how}, and nothing that the document states"),
    _("it leads to {domain}"),
    _("it leads to {domain}, which the document names"),
    _("it leads to {domain}, with {number}, which the document states"),
    _("it holds a number or text of its own"),
    _("it holds a number or text of its own, with {number}, which the document states"),
    _("it names {name} ({label}), which the document does not state"),
    _("it holds {number} ({label}), which the document does not state"),
    _("the document states {quotes}, too"),
)
