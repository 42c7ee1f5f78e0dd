"""Names of people as they were attested, and as documents and machine-readable zones write them."""

from __future__ import annotations

import pytest

from checks.fields.names.people import compare_people


@pytest.mark.parametrize(
    ("first_name", "last_name", "read", "state"),
    [
        # As ICAO 9303 writes letters that a zone does not have.
        ("Jürgen", "Müller", "JUERGEN MUELLER", "equal"),
        ("Ju\u0308rgen", "Mu\u0308ller", "JUERGEN MUELLER", "equal"),
        ("Åsa", "Sjöberg", "AASA SJOEBERG", "equal"),
        ("Søren", "Kjær", "SOEREN KJAER", "equal"),
        ("Þórdís", "Guðmundsdóttir", "THORDIS GUDMUNDSDOTTIR", "equal"),
        ("I\u015f\u0131l", "Öztürk", "ISIL OZTURK", "equal"),
        ("Juergen", "Mueller", "Jürgen Müller", "equal"),
        # Only the letter with its marks is written in two ways.
        ("Michal", "Novak", "MICHAEL NOVAK", "close"),
        ("Manl", "Br", "MANUEL BAUER", "differs"),
        # Spaces and hyphens within a name are written or not.
        ("Mary-Ann", "Mc Donald", "MARY ANN MCDONALD", "equal"),
        ("Mary Ann", "McDonald", "MARYANN MC DONALD", "equal"),
        ("Sinéad", "O'Connor", "SINEAD O CONNOR", "equal"),
        ("Anna-Lena", "von der Heide", "ANNALENA VON DER HEIDE", "equal"),
        # Words of two names do not make a third one.
        ("Anna", "Marie", "ANNAMARIE HOLT", "differs"),
        ("James", "Miller", "J MILLER", "close"),
        ("Anna", "Smith", "ANNA SMYTHE-JONES", "differs"),
    ],
)
def test_compared(first_name, last_name, read, state):
    attested = {"first_name": first_name, "last_name": last_name}

    assert compare_people(attested, read).state == state
