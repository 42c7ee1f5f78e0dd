"""How statutes and articles in languages other than English state the name of the company.

A clause introduces the name with words that depend on the language. The name then stands in
quotation marks, or reaches to the end of the clause. Statutes also print the name beside their
title. The wordings come from model statutes of registers and ministries, none from a single
document.
"""

from __future__ import annotations

import re

from checks.fields.names.anchors import Anchor
from checks.text.phrases import Pattern, Phrase

# Who has the name: a word for the body, with its article where the language has one.
BODIES = {
    "de": r"(?:der|die|das) (?:verein|verband|club|gesellschaft|stiftung|genossenschaft|partei|unternehmen)",
    "fr": r"(?:l['\u2019] ?association|la société|la fondation|la coopérative|le syndicat|elle)",
    "es": r"(?:la (?:presente )?(?:persona jurídica|asociación|sociedad|fundación|cooperativa|entidad|compañía|empresa)|el (?:movimiento|partido))",
    "it": r"(?:l['\u2019] ?associazione|la (?:società|fondazione|cooperativa))",
    "pt": r"(?:a (?:associação|sociedade|fundação|cooperativa|empresa|companhia)|o (?:instituto|clube))",
    "nl": r"(?:de (?:vereniging|vennootschap|stichting|coöperatie)|zij)",
    "pl": r"(?:spółka|stowarzyszenie|fundacja|spółdzielnia)",
    "sv": r"(?:föreningen|bolaget|stiftelsen)",
}
# Legal forms. A line that begins with one continues the name of the line above.
ABROAD = (
    r"(?:SOCIEDAD|SOCIEDADE|SOCIÉTÉ|SOCIETÀ|Sociedad|LIMITADA|Limitada|SRL|CIA\.?|S\.?L\.?(?:U\.?)?|S\.?A\.?(?:S\.?)?|S\.?R\.?L\.?|S\.?p\.?A\.?|SARL|GmbH|AG|B\.?V\.?|N\.?V\.?"
    r"|AB|Lda\.?|A/S|ApS)(?!\w)"
)

LEADS: dict[str, tuple[str, ...]] = {
    "de": (
        rf"{BODIES['de'].removeprefix('(?:der|die|das) ')}(?: [\w-]+){{0,2}} (?:führt|trägt|hat|erhält) (?:\w+ ){{0,2}}(?:namen|firma)",
        r"firma der gesellschaft(?: lautet| ist)?",
        rf"{BODIES['de']}(?: [\w-]+){{0,2}} soll (?:\w+ )?(?:namen|firma)",
        rf"{BODIES['de']} (?:hei(?:ß|ss)t|nennt sich)",
        r"unter (?:dem namen|der firma|der bezeichnung)",
        r"(?:der name|die firma) (?:des|der) [\w-]+ (?:lautet|ist)",
    ),
    "fr": (
        r"(?:ayant|(?:qui |elle )?a|prend|porte|portant) pour (?:titre|nom|dénomination(?: sociale)?|raison sociale)",
        r"sous (?:la dénomination(?: sociale)?|le nom|la raison sociale)(?: de)?",
        r"(?:qui |elle |la société |l['\u2019] ?association )?(?:prend|prendra|adopte|porte|portera) (?:la dénomination(?: sociale)?|le nom|pour (?:nom|dénomination))(?: sociale)?(?: de)?",
        rf"{BODIES['fr']} (?:est |sera |se )?(?:dénommée?|nommée?|dénomme|nomme|appelle|intitulée?|dite)",
        r"(?:association|société|fondation)(?:,? [^.;:«“\"\n]{0,140})? (?:dénommée|nommée|appelée|intitulée|dite)",
        r"(?:la dénomination(?: sociale)?|le nom)(?: de (?:la société|l['\u2019] ?association|la fondation))? (?:est|sera)",
    ),
    "es": (
        r"(?:con|bajo) (?:el nombre|la denominación|la razón social)(?: social)?(?: de)?",
        r"se (?:denomina(?:rá)?|llama(?:rá)?|conocerá (?:como|con el nombre de)|constituye la asociación)",
        r"(?:girará|actuará) (?:con|bajo) (?:el nombre|la denominación|la razón social)(?: social)?(?: de)?",
        r"(?:asociación|sociedad|fundación|entidad|compañía) denominada",
        rf"(?:el nombre|la denominación|la razón social)(?: social)?(?: de {BODIES['es']})? (?:es|será)",
    ),
    "it": (
        r"(?:con|sotto) (?:la )?denominazione(?: sociale)?(?: di)?",
        rf"{BODIES['it']} (?:è denominata|si denomina|si chiama|assume la denominazione(?: di)?)",
        r"(?:associazione|società|fondazione|cooperativa)(?: [\w-]+){0,4} denominat[ao]",
        r"la denominazione (?:sociale )?(?:della \w+ )?è",
        r"è costituit[ao],? (?:[^.;\n\"“«]{0,80}? )?(?:l['\u2019] ?|un['\u2019] ?|la |una )",
        r"avente (?:la |per |come )?denominazione",
        r"è costituit[ao],? (?:[^.;\n\"“«]{0,80}? )?(?:l['\u2019] ?|un['\u2019] ?|la |una )(?:associazione|società|fondazione|cooperativa)(?: denominata)?",
        r"(?:è denominat[ao]|assume (?:la denominazione|il nome)(?: di)?)",
    ),
    "pt": (
        r"(?:com|sob) (?:a denominação|o nome|a firma|o nome empresarial)(?: social)?(?: de)?",
        r"(?:adop?t[ae]|adop?tará|tem|terá|usa) (?:a denominação|o nome|a firma|o nome empresarial)(?: social)?(?: de)?",
        rf"{BODIES['pt']} (?:denomina-se|adot[ae] (?:a denominação|o nome|a firma)(?: social)?(?: de)?|tem a denominação(?: social)?(?: de)?|girará sob \w+ (?:denominação|nome empresarial)(?: social)?(?: de)?)",
        r"(?:associação|sociedade|fundação|entidade)(?: [\w-]+){0,3} denominada",
        r"o tipo de (?:[\w-]+ ){1,4}e (?:a firma|a denominação)(?: social)?",
    ),
    "nl": (
        rf"(?:{BODIES['nl']}|vereniging|stichting|vennootschap) (?:draagt (?:als |de )naam|heeft als naam|is genaamd|heet|voert de naam)",
        r"onder de naam",
        r"de naam (?:van de \w+ )?(?:is|luidt)",
        r"(?:vereniging|stichting|vennootschap)(?: [\w-]+){0,4} genaamd",
    ),
    "pl": (
        rf"{BODIES['pl']}(?: [\w-]+){{0,5}} (?:pod (?:firmą|nazwą)|nosi nazwę|(?:firma|nazwa) brzmi)",
        r"(?:firma|nazwa) (?:spółki|stowarzyszenia|fundacji) (?:brzmi|jest)",
    ),
    "sv": (
        r"(?:bolagets|föreningens|stiftelsens) (?:företagsnamn|firma|namn) är",
        r"(?:ärinimi|ühingu nimi|osaühingu nimi) on",
        r"(?:selskabets|foreningens|fondens) navn er",
        r"(?:selskapets|foreningens|stiftelsens) (?:foretaks)?navn er",
        r"(?:yhtiön|yhdistyksen|säätiön) (?:toiminimi|nimi) on",
    ),
}
# A noun may stand between the introducing words and the name: "denominada Asociación «Alfa»".
# BETWEEN allows for it; these are the quotation marks.
QUOTES = r"[»“\"\u2018'„«\u2039]"
# An apostrophe within a word ends no quotation: “« LA RIVIÈRE D'ÉTEL »”.
CLOSING = r"(?:[«”\"»“\u203a]|[\u2019'](?!\w))"
# Without quotation marks a name reaches to the end of its clause: a full stop, a line that is not
# continued, or words that begin the next statement about the company.
REST = (
    rf"(?=[;:]|\.(?:\s|$)|,(?! ?{ABROAD})(?:\s|$)| ?[(\[](?!haftungsbeschränkt)|\n(?![a-zà-ÿ]{{1,3}} )"
    r"| (?:mit sitz|besteht|wird|führen|tragen|und (?:hat|ist|wird|soll)|ein verein|eine gesellschaft"
    r"|avec siège|dont le siège|il est|une (?:association|société)|ci-après|et (?:a|est|sera|ayant)"
    r"|con (?:sede|domicilio)|se constituye|como asociación|y (?:tiene|se|tendrá|con|su)"
    r"|en adelante|en lo sucesivo|que (?:podrá|se|en)|nombre que|in seguito|di seguito|anche (?:identificata|detta)|adiante|doravante"
    r"|também|em abreviatura|verkort|afgekort|hierna|nachfolgend|nachstehend|im folgenden|zwan[aey]|nedan|con sede|una (?:società|associazione)|e (?:ha|tem|terá|avrà|com)|com sede|é uma|e (?:rege-se|reger-se|é regid[ao]|será regid[ao])|y (?:se regirá|estará|está|es)|et (?:régie|sera régie)|es una?|gevestigd|en is|is een"
    r"|(?:e|com|tendo como|y|et|ed|e il|e o|y el|et le|con) (?:nome (?:de )?fantasia|nombre comercial|nom commercial|nome commerciale|sigle|enseigne)"
    r"|z siedzibą|i jest|och|med)\b|\Z)"
)
NAME_UNQUOTED = r"(?P<name>[^\W\d_a-zà-ÿ][^\n;()\[\]“”\"«»„]{1,100}?)"
MARK = r"(?: ?[:\-\u2013])? ?"
BETWEEN = (
    MARK
    + r"(?:(?:verein|association|asociación|associazione|associação|vereniging|stichting|stiftung) )?"
)

# Titles of such documents, on a line of their own.
TITLES = (
    r"(?:vereins)?(?:satzung|statuten)|gesellschaftsvertrag|statuts(?: (?:de l['\u2019] ?association|de la société))?"
    r"|estatutos(?: sociales| sociais)?|statuto(?: sociale)?|statut(?: spółki| stowarzyszenia| fundacji)?|stadgar|vedtægter|vedtekter"
)
# Words with which the name of such a body begins, and legal forms with which it ends. Without
# either, a line beside the title may be anything.
BEGINS = (
    r"(?:verein|verband|stiftung|association|société|fondation|asociación|fundación|associazione|fondazione"
    r"|società|associação|fundação|instituto|vereniging|stichting|stowarzyszenie|fundacja|spółka|föreningen)"
)
ENDS = (
    r"(?:e\. ?v\.?|gmbh|ag|ug|kg|s\.?a\.?r\.?l\.?|s\.?a\.?s?\.?|s\.?l\.?u?\.?|s\.?r\.?l\.?|s\.?p\.?a\.?|lda\.?|ltda\.?"
    r"|b\.?v\.?|n\.?v\.?|sp\. z o\. ?o\.?|ab|a/s|aps|as|oy)"
)


FLAGS = re.IGNORECASE | re.MULTILINE


def _clauses() -> list[Anchor]:
    clauses = []
    for leads in LEADS.values():
        lead = "|".join(leads)
        clauses.append(
            Anchor(
                Phrase(
                    rf"\b(?:{lead}){BETWEEN}{QUOTES} ?(?P<name>[^”\"«»“\n]{{2,100}}?(?:\n[^”\"«»“\n]{{1,60}}?)?) ?{CLOSING}"
                ),
                0.95,
                "the clause of its name, in quotation marks",
            )
        )
        clauses.append(
            Anchor(
                Phrase(
                    rf"\b(?:{lead}) ?: ?(?P<name>[^\n;,()“”«»„]{{2,100}}?)(?:\.?$|\.(?=\s+\d{{1,2}}[.)]))",
                    FLAGS,
                ),
                0.9,
                "the clause of its name, behind a colon",
            )
        )
        clauses.append(
            Anchor(
                # A name begins with a capital letter, so that IGNORECASE applies to the introducing
                # words only.
                _case_sensitive_name(lead),
                0.86,
                "the clause of its name",
            )
        )
    clauses += _titles()
    return clauses


def _case_sensitive_name(lead: str) -> Pattern:
    pattern = rf"\b(?i:{lead}){MARK}{NAME_UNQUOTED}(?i:{REST})"
    return Phrase(pattern, re.NOFLAG)


def _titles() -> list[Anchor]:
    name = rf"(?P<name>(?:{BEGINS}\b[^\n.]{{2,90}}|[^\n]{{2,90}}?(?<!\w){ENDS}))"
    lines = r"(?:[^\n]*\n){0,8}?"
    flags = re.IGNORECASE
    above = rf"\A{lines} ?{name}[ \t]*\n(?:[^\n]{{0,40}}\n)?[ \t]*(?:{TITLES})[ \t]*\n"
    below = rf"\A{lines}[ \t]*(?:{TITLES})[ \t]*\n(?:(?:der|des|de|du|del|della|do|da|van)[ \t]*\n)?{name}[ \t]*\n"
    return [
        Anchor(re.compile(above, flags), 0.84, "the line above the title"),
        Anchor(re.compile(below, flags), 0.84, "the line below the title"),
    ]


# Articles that define the body: “El Club Alfa es una asociación”. The subject of the sentence is
# the name, unless it is only a noun such as “La asociación”.
BODY_NOUN = (
    r"(?:verein|gesellschaft|stiftung|genossenschaft|verband|association|société|fondation|asociación|sociedad|fundación"
    r"|entidad|associazione|società|fondazione|associação|sociedade|fundação|entidade|cooperativa|instituto|club|clube"
    r"|vereniging|stichting|vennootschap|organización|compañía|empresa|presente|föreningen|foreningen)"
)
ARTICLE = r"(?:der|die|das|el|la|los|las|o|a|os|as|il|lo|l['\u2019]|le|les|de|het)"
IS_A = r"(?:ist (?:ein|eine)|es (?:una?|un)|é (?:uma?|um)|è (?:una?|un['\u2019]?)|est (?:une?|un)|is een)"
KIND_OF_BODY = (
    r"(?:[\w-]+ ){0,3}(?:verein|gesellschaft|stiftung|genossenschaft|partei|association|société|fondation|asociación|sociedad"
    r"|fundación|entidad|organización|corporación|persona jurídica|institución|associazione|società|fondazione|ente|associação"
    r"|sociedade|fundação|entidade|organização|pessoa jurídica|cooperativa|vereniging|stichting|vennootschap)"
)


def _definitions() -> Anchor:
    name = r"(?P<name>[“«\"„]?[^\W\d_a-zà-ÿ][^\n;:.()]{2,90}?[”»\"“]?)"
    between = r"(?:,[^.;:]{3,160}?,|(?: ?\([^)]{1,40}\)),?)?"
    pattern = (
        rf"(?:(?:^|[.:)º°\u2013-] )(?i:{ARTICLE}) |^(?!(?i:{ARTICLE}) ))"
        rf"(?!(?i:{BODY_NOUN})[ ,]+(?i:{IS_A})){name}{between} (?i:{IS_A}) (?i:{KIND_OF_BODY})\b"
    )
    return Anchor(
        Phrase(pattern, re.MULTILINE), 0.8, "the article that says what the body is"
    )


CLAUSES = [*_clauses(), _definitions()]
