"""What the documentation of indicators says, of the page: what lies over what, fonts, pictures."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

PARAGRAPHS = (
    _(
        "A shape lies over words, so that they cannot be seen, and the words are still in the file: that is how a word is painted out and another one written over it. The finding shows what is hidden and what is shown in its place. Where that is the same, or a placeholder, a label or the number of a page is hidden, it is an INFO. A shape from edge to edge over a large part of the page, as the ground of a slide, is a weak sign, and so is one on which something is drawn that cannot be read."
    ),
    _(
        "On a scan, what OCR reads is compared without a patch and with it. That is a weak sign. A part of a line that is clipped or masked away counts where another number is written there."
    ),
    _(
        "a plain rectangle in the colour of paper that was drawn after the text that it lies on; and any other shape, where the page looks the same when the text beneath it is left out. Which program drew it does not matter. Text that was made invisible where other words are written counts as well; the invisible text behind a scan does not. So does text in a layer that is off, where other words are shown: another number, or other words where the layer repeats most of the page."
    ),
    _(
        "an issuer's program that blanks a field of a template before it fills it. The hidden words are then those of the template."
    ),
    _(
        "An opaque picture that is smaller than half the page was placed over words. Pictures that let the text show through, as seals and signatures do, do not count. Where other words stand on it as in a line of the page, or nothing does, the sign is strong: a fact was replaced or taken away. A stamp, a logo or a scribble over words is a weak sign; over a placeholder, or where the picture shows the same words, it is an INFO."
    ),
    _(
        "the picture was drawn after the text beneath it and is opaque where the text stands. The place is read with OCR. The pictures that make up a scan do not count."
    ),
    _("a logo or a stamp with a white ground that was put carelessly."),
    _(
        "A dark shape lies over words. It hides them from the eye and not from a program."
    ),
    _("as for covered text, where what is seen in its place is dark."),
    _(
        "somebody blacked out an account number or an address, as they may, and did not know that it stays in the file."
    ),
    _(
        "Text boxes, stamps and shapes of a PDF reader lie above the page and are no part of it. Where they blot a fact out and show other words, or none, in its line, the sign is strong. A stamp or a remark that is larger than the line and blots words out is weak, and so is a text box over words that can still be read. All other marks, and what lies on labels, placeholders or beside the words of the page, are an INFO."
    ),
    _(
        "the annotations of the file, by their places; the page is drawn with them and without them, to see which words they blot out. A filled field of a form counts where it does that."
    ),
    _(
        "the annotations of the file, by their places; the page is drawn with them and without them, to see which words they blot out. A field of a form, a link and an annotation of any other kind count where they do that."
    ),
    _("an office's stamp, a reader's note, a mark of a highlighter."),
    _(
        "A program reads the text of a file and the values of its fields; people see the drawing of its pages. Here the file states a number or the name of a company that its page does not show: in the colour of the paper, too small, cut away, or in a layer that is off; or a field shows other words than it holds. What was read from the file may come from there, so that a person has to compare it with the page. Other words that cannot be seen are an INFO."
    ),
    _(
        "the first pages are drawn with their text and without it; text cannot be seen where the page looks the same without it, and nothing is drawn over it. The text behind scans and on pictures, and what the page shows elsewhere, are left out. The look of each text field is read as the page is, and held against its value; where they differ, OCR reads the place as well. Fields whose values a script of the form writes in another way are left out."
    ),
    _(
        "the first pages are drawn with their text and without it; text cannot be seen where the page looks the same without it, and nothing is drawn over it. The text behind scans and on pictures, and what the page shows elsewhere, are left out. The look of each text field is read as the page is, and held against its value; where they differ, OCR reads the place as well. Where a script of the form may write the value in another way, as a date in words, only another number of as many digits, or another company, counts."
    ),
    _(
        "marks for a signing service or for sorting the mail, written in white; a program that changes the values of a form and leaves it to the reader to draw them."
    ),
    _(
        "A program reads the text of a file, and people see the drawing of its page. Here the file states a number, a name or a date, and another one is drawn at its place: by a font that draws other letters than its table says, or by words that the file gives in place of the drawn ones. What was read from the file is then not what the page shows, so that a person has to compare both."
    ),
    _(
        "the lines of the first pages with attested data, names of companies or numbers are drawn, and read with OCR in two sizes. Both readings are sure, agree, and differ from the text in a number or in a whole word. Only Latin letters and digits are compared, and a single digit that OCR may have misread does not count. Attested data in a print that nobody can read counts, too."
    ),
    _(
        "the lines of the first pages with attested data, names of companies or numbers are drawn, and read with OCR in two sizes. Both readings are sure, agree, and differ from the text in a number or in a whole word. In a line with attested data a single letter or digit counts, too, where three sizes agree. Only Latin letters and digits are compared, and not those that OCR takes for one another, such as O and 0. Attested data in a print that nobody can read counts, too."
    ),
    _(
        "the lines of the first pages with attested data, names of companies or numbers are drawn, and read with OCR in two sizes. Both readings are sure, agree, and differ from the text in a number or in a whole word. In a line with attested data a single letter or digit counts, too, where three sizes agree. Only Latin letters and digits are compared, and not those that OCR takes for one another, such as O and 0. Attested data in a print that nobody can read counts, too. Not checked is text in a font that neither the file nor this machine has."
    ),
    _(
        "a program that writes a faulty table for a font; letters so ornate that OCR misreads them in every size."
    ),
    _(
        "A small filling in the colour of paper was drawn for these words alone, and both were drawn after all else on the page, in its midst: so does a program that takes words out of a file and writes others in their place. What stood there before is not in the file any more."
    ),
    _(
        "filled shapes as large as a few words, with nothing beneath, that hold later words; at most three on a page. The page was drawn before them, though a part of it stands further down."
    ),
    _(
        "a number or a date that an office's program put on a finished document, with a white ground so that it can be read."
    ),
    _("The page is a scan, and a smaller picture was placed on it."),
    _(
        "an image of less than half the page that lies within another one that fills it, and was drawn after it."
    ),
    _(
        "many. Scanners that pack text and pictures apart do that to every page, and so do programs that add a stamp; one of seven genuine scans has it."
    ),
    _("Two different words of the text share one place."),
    _(
        "the boxes of the words of each page, where they share more than half of their area."
    ),
    _(
        "watermarks, the stamps of courts, a form that was filled by a machine which missed its line. Where something lies between the two, it is covered text instead."
    ),
    _(
        "The page is a picture with a layer of text that a program reads and nobody sees. A number that is to be seen on the picture is nowhere in that layer: the picture was changed, and the text that was made from it before was left as it was, or the other way round."
    ),
    _(
        "The sign is strong where the layer has the numbers of the page as they were written: it is the document's own text, or it was read well and differs in more than OCR mistakes. One digit that OCR may have taken for another is a weak sign, and all mismatches of a layer that was read badly are an INFO."
    ),
    _(
        "the picture is read with OCR. Numbers of three digits and more that are read with certainty are looked for in the text layer, at their place and elsewhere on the page. How well the layer was read is told by the words of the page that it has."
    ),
    _(
        "a stamp that was put on the paper after the layer was made; a mistake of the OCR on either side. Look at the place."
    ),
    _(
        "A font family that the document hardly uses stands inside a line of its usual font, as where a word was replaced with a program that lacks the font of the document."
    ),
    _(
        "A value that stands alone in its row is compared with the words above and below it, and a number also with its own digits."
    ),
    _(
        "the font of each word, against those of its neighbours in the line and of the document as a whole. Bold and italic faces of one family are one font; symbols, the fonts of TeX and the text behind scans do not count. Where no such word is a value, with digits for most of what it holds, it is an INFO: amounts, dates and numbers are what is worth changing."
    ),
    _("a form that a machine filled in; a name in a script that the usual font lacks."),
    _(
        "Nearly all of the text uses fonts that are embedded in the file, and a few words a stock font that is not: programs for typing on a PDF add text in that way."
    ),
    _(
        "Where none of these words stands in a row or a column of the text, it is an INFO: a stamp at the edge of a page has only its own words as neighbours."
    ),
    _(
        "for each word, whether the file contains its font; words of fonts that it does not contain must be few."
    ),
    _(
        "a reference number, a date or a page number that an office's program put on a finished document."
    ),
    _(
        "A scanner gives every letter a grain of its own. Here a run of letters stands on the picture twice, alike to the grain: it was cut out and put down again. A person has to look."
    ),
    _(
        "all letters of one size are compared pixel by pixel. At least two neighbours must be alike to their likes at one and the same distance. A single letter or digit counts where it and the paper around it are equal in every dot, as in a picture that was not compressed again. It finds copies in pictures that were saved with high quality: after strong compression nothing is left to find."
    ),
    _(
        "a form that was drawn by a computer and not scanned; where many letters are alike, nothing is said for that reason."
    ),
    _(
        "A scanner or a camera gives every dot of the paper a value of its own. A program that paints over a word gives all dots of the patch the same. It is a weak sign: a person looks at the place."
    ),
    _(
        "the spread of grey values within three dots. One patch must be filled with dots of one value, lie inside the page, and be far larger than any other smooth place. It finds nothing on scans that were cleaned to plain white, after strong compression, and after the page was printed and scanned again."
    ),
    _(
        "a field that was blanked on purpose before the paper was sent, as for reasons of privacy; a label or a stamp that a program put on the scan."
    ),
    _(
        "Each save as a JPEG rounds the picture in its own way, and a second save leaves traces of the first. The whole picture has traces of an earlier save, except for this place: it was put there, or painted over, after the scan or the photograph was saved. A person has to look."
    ),
    _(
        "the picture is divided into the squares of JPEG, and the waves of each square are compared with the steps of an earlier save. At most a few places may lack what all others have, beyond any chance. The earlier save must be coarser than the last one, and the picture must not have been turned, cropped or resized in between. Nothing is found where the paper is full white, on pictures that were saved only once, and after the page was printed and scanned again."
    ),
    _(
        "a mark, a note or a stamp that a program put on the scan; a field that was blanked for reasons of privacy."
    ),
    _(
        "The region had been saved with another quality before it came into this picture, as where it was taken from another one."
    ),
    _(
        "the picture is compressed again with each quality, and a region that loses far less than the rest at one of them stands out (a JPEG ghost)."
    ),
    _(
        "many: flat paper beside print, a photograph on a form, a second save. One of twenty genuine receipts has it, so that it only tells where to look."
    ),
    _(
        "Its record names such a program, or bears a later date of change than of taking."
    ),
    _("the EXIF and XMP data of the picture."),
    _(
        "cropping, turning, making it smaller; the photo app of a telephone does all of that. Many programs leave no name."
    ),
    _(
        "A photograph that comes from a camera or a telephone names it. This one says nothing."
    ),
    _("no maker and no model in the EXIF data."),
    _(
        "messengers and upload forms take the data away, scanners never write them, and a screenshot has none. Most genuine files have none."
    ),
)
