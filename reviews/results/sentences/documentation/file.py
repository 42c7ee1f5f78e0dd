"""What the documentation of indicators says, of the file: how it opens, its versions, signatures, programs and records."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

PARAGRAPHS = (
    _(
        "It is empty, damaged, or not a document at all, whatever its name says. Nothing in it could be examined."
    ),
    _("its first bytes, and what the readers say of the rest."),
    _(
        "an upload that was cut off; a web page that was saved under the name of a document. Ask for the file again."
    ),
    _(
        "It would unfold to more memory or time than a document deserves, and was left closed."
    ),
    _(
        "its size, the size of its pictures, and how far its streams and drawings unfold, each told before it is opened."
    ),
    _(
        "a plan or a photograph of extreme resolution, a book. A few small bytes that unfold to gigabytes have none: that is an attack on the reader."
    ),
    _("Nobody gave it, so that nothing in the file could be examined."),
    _("the file does not open with the empty password."),
    _("banks lock the statements that they send. Ask for a copy that is not."),
    _("It restricts printing, copying or changing."),
    _("the dictionary of encryption of the PDF."),
    _("this is usual for tax offices and banks."),
    _(
        "It runs scripts, starts programs or sends data when it is opened. Nothing of it is ever run here, and reviewers see pictures of the pages alone."
    ),
    _("the actions in the file, by their kinds."),
    _(
        "forms of registers compute with scripts and submit themselves; scripts alone are an INFO for that reason."
    ),
    _("They are attached to the document, and are not examined."),
    _("the streams of the file that are marked as embedded files."),
    _("electronic invoices carry their data so, and archives their originals."),
    _(
        "A PDF that is saved by appending keeps its earlier versions. One of them shows other words than the file as it is now; the finding shows them before and after, at their place."
    ),
    _(
        "Where a fact was replaced or taken away, the sign is strong. Where an intact signature was made after that, and covers it, the sign is weak, for the signer may have done it himself, and an INFO if the signer is trusted. Where only a placeholder, a label or the number of a page changed, it is an INFO."
    ),
    _(
        "each earlier version is recovered and read, and the words of each page are compared as a bag, so that a mere change of their order says nothing. Pages that were put in, taken out or turned are recognised. How often a file was saved counts for nothing: four of ten genuine files were saved more than once. The values of form fields and the text behind scans are left out."
    ),
    _(
        "an issuer corrected a file before sending it, or the owner filled in a document that is meant to be filled in and is not a form. Read what changed."
    ),
    _(
        "Words stand on a page that an earlier version of it lacked, and none were taken away. Where an intact signature was made after that, and covers it, it is an INFO."
    ),
    _("as for text that differs, where every change only adds."),
    _(
        "a receiver's stamp, a reference number or a date put on by the office that the document went through. It is a weak sign for that reason."
    ),
    _(
        "Something on the face of the page was painted over, replaced or added between two versions: a picture, a seal, a drawing, or words that are drawn and not written. Where words were to be read there before, and others, or none, are to be read now, the sign is strong, unless an intact signature was made after that, and covers it. All else is a weak sign; beside added words, in a page that has another size, and before a covering signature it is an INFO."
    ),
    _(
        "the pages of each earlier version are drawn and compared with the next, without the annotations and fields that lie above them, the way up that the page has now. Small regions are read with OCR in both versions. Places where words changed are left to the indicator for words."
    ),
    _(
        "a stamp or a bar code put on by an office; a service for signing that adds a line or a margin to each page; a scan that was straightened or saved with less quality; a form that its issuer's program draws again."
    ),
    _(
        "Earlier versions are inside the file, and every page shows the same in all of them."
    ),
    _(
        "each earlier version is read and drawn, and neither words nor looks nor the values of fields differ. Of a long document the first pages are compared."
    ),
    _(
        "this is itself one. Registers sign documents by appending, and readers append when they save; it is told so that the number of versions worries nobody."
    ),
    _("The pages that both versions have are compared with one another."),
    _("the numbers of pages of the versions; pages are known again by their words."),
    _("a cover sheet, an attachment, an empty page; several scans in one file."),
    _(
        "A field that was filled in holds another value now, or none. It is a RISK where an intact signature stood over the earlier value and none covers the new one, and else an INFO."
    ),
    _("the fields of each earlier version, by their names, against those of the next."),
    _(
        "that is what fields are for: whoever filled in the form corrected it. Where an issuer fills in forms and sends them, compare the values with what it says."
    ),
    _(
        "The bytes that the signature covers are not those that were signed: the file was changed in the part that the signer signed, or the signature was taken from another file."
    ),
    _(
        "Where the whole file was saved again after signing, the sign is weak: every signature breaks by that, whether or not anything was changed."
    ),
    _(
        "Where the whole file was saved again after signing, the sign is weak: every signature breaks by that, whether or not anything was changed. So it is where a field has the record of a signature and the file has no signature for it."
    ),
    _(
        "the digest of the signed bytes is computed and compared with the one in the signature, and the signature is verified with the signer's key. Nobody is asked for it. A file was saved again where the signature no longer stands between the bytes that it names."
    ),
    _(
        "a mail gateway or an archive that rewrote the file, a program that made it smaller. The signed original can then be had from its issuer."
    ),
    _(
        "The signed bytes are whole, and what was appended behind them is more than form values or the data that a later validation needs. Where a fact that the signed pages show was replaced or taken away, or words were put into a line of theirs, the sign is strong. Where other words were only added, where a later, valid signature covers the whole file, or where the pages cannot be compared, it is weak. Annotations, and changes after which the pages show the same, as where they were turned, are an INFO."
    ),
    _(
        "each object of the appended part is held against rules of what may follow a signature (the difference policy of pyHanko, which follows ISO 32000-2, 12.8.2.2). The signed version is then read and drawn, and compared with the present one."
    ),
    _(
        "several people who signed one after another with a program that rewrites the page for each of them; a comment by a reader; the stamp of an office in which the document was filed."
    ),
    _(
        "Every signature fits the file, nothing but form values or validation data came after, and the signer's certificate leads to an authority that the operator of this installation trusts."
    ),
    _(
        "the chain of the certificate is built from the file and the roots in the folder `SIGNATURE_ROOTS`."
    ),
    _(
        "that the certificate was not withdrawn since, for no list of withdrawn ones is fetched; nor that the signer is who ought to sign such a document. Read the name."
    ),
    _(
        "Every signature fits the file and nothing came after that changes it. Whether the signer is who the certificate says cannot be told: it leads to no authority that is trusted here."
    ),
    _("as for a trusted signature; the chain ends elsewhere, or no roots are given."),
    _(
        "this is the usual case where the operator has given no roots. But anybody can make a certificate in any name."
    ),
    _("The file bears one, and whether it fits cannot be told."),
    _(
        "a signature dictionary with the range of bytes that it covers, whose content is of a kind that is not understood here, or is damaged."
    ),
    _(
        "old or regional kinds of signatures. A reader made by the signing service may tell more."
    ),
    _(
        "The signature stands outside the form of the document, as some tax offices write it, and the file goes on behind what it covers."
    ),
    _(
        "the range of bytes that the signature covers ends before the file does. Whether words or looks changed is told by the indicators for earlier versions."
    ),
    _("a second signature, or a save by a reader."),
    _(
        "The Info dictionary and the XMP metadata name programs of different families, as after a save with a program that updates one of them alone."
    ),
    _(
        "both names are brought to a family (all versions and products of one maker) and compared."
    ),
    _(
        "a save with the print or preview program of an operating system, which people do to keep a document; it is an INFO then."
    ),
    _(
        "The file names a program that is made for changing documents or pictures. Registers do not write their documents with such programs."
    ),
    _(
        "a list of such programs, looked for in the Info dictionary, in the XMP metadata and in the history that XMP keeps of saves. A program that is not on the list, or leaves no name, is not found in this way; the indicators for content do not depend on it."
    ),
    _(
        "the owner merged, turned or shrank the file with it. It is an INFO for articles and bylaws, which the company writes itself, for services that mostly merge, shrink and convert files, and for programs for drawing, with which companies make papers of their own, unless the document reads as one of a register, an office, a bank or a supplier."
    ),
    _(
        "The file carries the mark of a library that rewrites whole files, and names another program as its producer. Whoever edits a file with such a library keeps the name of the first program."
    ),
    _(
        "the bytes of the comment in the second line of a PDF, by which such libraries differ."
    ),
    _(
        "registers, archives and mail gateways rewrite files too: one of eight court files was. The mark can be copied, so that its lack proves nothing."
    ),
    _(
        "It carries the mark of one program and names another as its producer, as where the metadata of a genuine file were copied to one that was made otherwise."
    ),
    _(
        "the bytes of the comment in the second line of a PDF, which some programs always write in a way of their own, against the names in the Info dictionary."
    ),
    _("a program that uses another one's library and has its own name."),
    _(
        "The document reads as one of a certain office, and the file names a program with which that office is known to write such documents. Of a scan or another picture it is not said: a picture of a document tells nothing of the program that wrote it, whatever the file names. Nor is it said where the office signs each of its files and this one is not signed, and where a library that saves whole files again wrote this one."
    ),
    _(
        "a table of issuers (`checks/data/issuers.csv`), with what each of them publishes and its source. A page is known by the name of the issuer and by the title or a phrase of its documents."
    ),
    _("anything against a forger who copies the name, or starts from a genuine file."),
    _(
        "The document reads as one of a certain office, and the file names a program with which that office is not known to write such documents."
    ),
    _(
        "as for a program that is known. Of a scan it is not asked: it names the scanner's."
    ),
    _(
        "the owner printed, scanned or saved the file again; the office has changed its programs since the table was made."
    ),
    _(
        "The document reads as one of an office that signs each of its files, or says itself that it is digitally signed, and this file bears no digital signature: it is a copy of the issued file, and not that file."
    ),
    _(
        "as for the programs of issuers, or by such words in ten languages, and that the file has no digital signature. Pictures count, too."
    ),
    _(
        "the owner printed, scanned or saved the file again, which drops the signature. The signed file can be asked for."
    ),
    _(
        "The office signs each of its files. This one names the program with which the office writes them, so that it is meant to be the issued file, and it bears no digital signature: it was saved again with a program that keeps the record of the origin and drops the signature, as one has to after an edit. It cannot be told what was changed, so that a person has to look."
    ),
    _(
        "as for the programs of issuers, for offices that sign each file. A signature whose signer made the certificate does not count: anybody can make one in any name."
    ),
    _(
        "a service that merges, shrinks or repairs files and keeps their records. The signed file can be asked for."
    ),
    _(
        "The record of the file names the program of the issuer, or another one that lays out the documents of offices, and the page is a picture or drawn shapes. Such programs write text: the record was copied from a genuine file, or the file was turned into pictures and kept its record. Whoever changes a picture leaves no trace in it, so that a person has to look."
    ),
    _(
        "as for the programs of issuers; and for documents of other offices, banks and suppliers, of which no page has text, a list of programs that write text and do not wrap pictures. Scanners and programs for pictures name themselves."
    ),
    _(
        "a program that prints files as pictures or blackens parts of them, and keeps the record."
    ),
    _("No program and no date are recorded in it."),
    _(
        "neither the Info dictionary nor the XMP metadata names a producer, a creator or a date of creation."
    ),
    _(
        "some registers leave them out, and so do mail gateways that clean files. Programs for hiding where a file comes from take them away, too."
    ),
    _(
        "The office gives this document as a file with text. This file has a picture of it, or its letters as shapes: it is a copy of the issued file, and not that file."
    ),
    _("as for the programs of issuers, and the page has no text of its own."),
    _(
        "the owner printed the file and scanned the print, or photographed it. Some offices give the same document on paper, too. The file can be asked for."
    ),
    _(
        "The office prints a code of verification or a QR code on each of these documents, and neither was found."
    ),
    _(
        "as for the programs of issuers; the words beside the code are looked for in the text, and the QR codes are decoded. Of a picture it is said only where the office gives no paper."
    ),
    _("a page of the document that was not sent; a code that could not be read."),
    _(
        "The office gives this document as a file with text. Here it is a picture, and not one that was taken from paper: its letters are alike to the dot, as a program draws them. Somebody turned the file into pictures, which takes away its text and its signature, and hides what was changed before. A person has to look, and can ask for the file."
    ),
    _(
        "as for the programs of issuers; and the letters of the picture are compared dot by dot. On paper each has a grain of its own. It is not found after strong compression, below 120 dots per inch, or in black and white alone."
    ),
    _("a screenshot, or a program that prints files as pictures."),
    _("The file carries a signed record of its making, and is as that record says."),
    _(
        "the C2PA manifest is validated with the library of the Content Authenticity Initiative, without asking anybody. Where that library is not installed, the result says under what was not checked that the file carries such a record."
    ),
    _(
        "that the signer is to be trusted, for anybody can sign; nor that what the file shows is true. Read who signed it."
    ),
    _(
        "The file carries a signed record of its making, and is not as that record says: it was changed by a program that knows nothing of such records, or the record was taken from another file."
    ),
    _("as for credentials that hold. That a signer is unknown does not count."),
    _("cropping or shrinking with an old program."),
    _("The record of its making names trained algorithmic media as its source."),
    _("the IPTC digital source type in the C2PA manifest."),
    _(
        "a drawing or a background in a document that is otherwise a person's. No register issues such a file. That the record is lacking proves nothing: it is easily removed."
    ),
    _(
        "Reading the file took too long or too much memory, or crashed the reader, in a process of its own that was then ended. Nothing more could be examined."
    ),
    _(
        "the process that reads the file has limits of time and memory, and something that watches it."
    ),
    _(
        "a very long or damaged document. A file that is made to do that to its reader is an attack; have it sent again, or on paper."
    ),
    _(
        "A program that writes a file packs all of its pages and fonts in one way. Who changes the text of a page with another program packs this page again, and leaves the others and the fonts as they are. A person has to look at the page."
    ),
    _(
        "the first bytes of the packed drawing of each page, which say how hard the program tries, against those of the pages that share a font with it, and of its fonts. Pages of merged files share none, so that they are not compared. Nothing is found where both programs pack alike, or where all was packed again."
    ),
    _(
        "a stamp or a mark by a program that writes the whole page again. For articles and bylaws, which the company writes itself, it is an INFO."
    ),
    _(
        "A program that writes a file puts those letters of a font into it that the text needs, and some programs number them in the order in which the text needs them. Here a digit of the font stands nowhere in the file, or a letter does not come where its number has it, and all others fit: the text was changed after the font was made. A person has to compare the numbers in this font."
    ),
    _(
        "the letters of each font that is in the file, against those that its pages, stamps and fields show. Where more than a few do not fit, pages were taken out, or the font was not made for this text, and nothing is said. A digit that was replaced, and stands elsewhere in this font as well, is not found."
    ),
    _(
        "a number that was blotted out of the file for reasons of privacy; a page that was taken out, if it alone had the digit."
    ),
)
