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
        # A document with one of two last names, an initial on either side, and a form of address.
        ("José", "García López", "GARCIA JOSE", "close"),
        ("José", "García López", "José García Herrera", "differs"),
        ("Anna", "Schmidt-Meier", "Anna Schmidt", "close"),
        ("Juan", "de Souza", "JUAN DE LIMA", "differs"),
        ("J", "Smith", "John Smith", "close"),
        ("A", "Singh", "BALBIR SINGH", "differs"),
        ("Dr. Hans", "Huber", "Hans Huber", "equal"),
        ("George", "Bush Jr.", "George Bush Sr.", "close"),
    ],
)
def test_compared(first_name, last_name, read, state):
    attested = {"first_name": first_name, "last_name": last_name}

    assert compare_people(attested, read).state == state


@pytest.mark.parametrize(
    ("first_name", "last_name", "read", "state"),
    [
        # As passports of Russia, Ukraine, Bulgaria, Serbia and Greece have them, now or before.
        ("Юлия", "Щербакова", "IULIIA SHCHERBAKOVA", "equal"),
        ("Юлия", "Щербакова", "YULIYA SHCHERBAKOVA", "equal"),
        ("Дмитрий", "Соловьёв", "DMITRII SOLOVEV", "equal"),
        ("Олександр", "Зеленський", "OLEKSANDR ZELENSKYI", "equal"),
        ("Юрій", "Гриценко", "YURII HRYTSENKO", "equal"),
        ("Христо", "Щерев", "HRISTO SHTEREV", "equal"),
        ("Ђорђе", "Његош", "DJORDJE NJEGOS", "equal"),
        ("Ђорђе", "Његош", "ĐORĐE NJEGOŠ", "equal"),
        ("Γεώργιος", "Χατζηγεωργίου", "GEORGIOS CHATZIGEORGIOU", "equal"),
        ("Ευάγγελος", "Μπακογιάννης", "EVANGELOS BAKOGIANNIS", "equal"),
        ("Ivan", "Petrov", "ИВАН ПЕТРОВ ГЕОРГИЕВ", "equal"),
        # Other scripts have no such rules for each letter.
        ("محمد", "الأحمد", "MOHAMMED AL AHMAD", "close"),
        ("伟", "王", "WEI WANG", "close"),
        ("Иван", "Петров", "IVAN SIDOROV", "differs"),
        ("Иван", "Петров", "PETR PETROV", "differs"),
        ("Иван", "Иванов", "IVANOV PETR", "differs"),
        ("Γεώργιος", "Παππάς", "ANNA PAPPA", "differs"),
        ("محمد", "الأحمد", "JOHN SMITH", "differs"),
    ],
)
def test_a_name_in_another_script(first_name, last_name, read, state):
    attested = {"first_name": first_name, "last_name": last_name}

    assert compare_people(attested, read).state == state


def test_a_further_name_need_not_stand_in_latin_letters():
    attested = {
        "first_name": "Юлия",
        "middle_name": "Сергеевна",
        "last_name": "Щербакова",
    }

    assert compare_people(attested, "IULIIA SHCHERBAKOVA").state == "equal"


@pytest.mark.parametrize(
    ("read", "state"),
    [
        ("Bob Smith", "close"),
        ("Richard Smith", "differs"),
        ("Roberta Smith", "close"),
        ("Bob Jones", "differs"),
    ],
)
def test_a_short_form_of_the_first_name_is_close(read, state):
    attested = {"first_name": "Robert", "last_name": "Smith"}
    assert compare_people(attested, read).state == state
