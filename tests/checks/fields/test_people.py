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
        ("George", "Bush Jr.", "George Bush Sr.", "differs"),
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
        ("Roberta Smith", "differs"),
        ("Bob Jones", "differs"),
    ],
)
def test_a_short_form_of_the_first_name_is_close(read, state):
    attested = {"first_name": "Robert", "last_name": "Smith"}
    assert compare_people(attested, read).state == state


@pytest.mark.parametrize(
    ("first_name", "last_name", "read", "state"),
    [
        # Spelt as much alike as a slip, and another name.
        ("Mario", "Bianchi", "MARIA BIANCHI", "differs"),
        ("Daniel", "Brown", "DANIELLE BROWN", "differs"),
        ("Peter", "Hansen", "PETRA HANSEN", "differs"),
        ("Fatima", "Hassan", "FATIMA HUSSAIN", "differs"),
        ("James", "Wilson", "JAMES WILTON", "differs"),
        ("Jon", "Smith", "JOHN SMITH", "close"),
        ("John", "Smith", "JOHM SMITH", "close"),
        ("Stephan", "Lee", "STEPHEN LEE", "close"),
        # Letters that one zone spells out and another does not.
        ("Björk", "Guðmundsdóttir", "BJORK GUDMUNDSDOTTIR", "equal"),
        ("Mª Carmen", "Ruiz", "MARIA CARMEN RUIZ", "equal"),
        ("Maria Carmen", "Ruiz", "Mª CARMEN RUIZ", "equal"),
    ],
)
def test_a_name_that_is_spelt_alike(first_name, last_name, read, state):
    attested = {"first_name": first_name, "last_name": last_name}

    assert compare_people(attested, read).state == state


@pytest.mark.parametrize(
    ("first_name", "last_name", "read", "state"),
    [
        ("太郎", "山田", "山田太郎", "equal"),
        ("민수", "김", "김민수", "equal"),
        ("小明", "王", "李小明", "differs"),
        # Characters are read in several ways, and names are not told apart by one of them.
        ("太郎", "山田", "YAMADA TARO", "cannot_compare"),
        ("太郎", "山田", "ヤマダ タロウ", "cannot_compare"),
        ("大文", "陳", "CHAN TAI MAN", "cannot_compare"),
        ("Somchai", "Jaidee", "นายสมชาย ใจดี", "cannot_compare"),
        ("דוד", "לוי", "LEVY DAVID", "cannot_compare"),
        # Letters that are read in one way tell people apart.
        ("민수", "김", "PARK MINJI", "differs"),
    ],
)
def test_a_name_in_a_script_of_several_readings(first_name, last_name, read, state):
    attested = {"first_name": first_name, "last_name": last_name}

    assert compare_people(attested, read).state == state


@pytest.mark.parametrize(
    ("middle_name", "read", "state"),
    [
        ("Adam", "JOHN BRIAN SMITH", "close"),
        ("Adam", "JOHN ADAM SMITH", "equal"),
        ("Adam", "JOHN A SMITH", "equal"),
        ("A.", "JOHN ADAM SMITH", "equal"),
        ("Adam", "MR JOHN SMITH", "equal"),
        ("Adam", "SMITH JOHN", "equal"),
        ("", "JOHN BRIAN SMITH", "equal"),
    ],
)
def test_another_middle_name(middle_name, read, state):
    attested = {
        "first_name": "John",
        "middle_name": middle_name,
        "last_name": "Smith",
    }

    assert compare_people(attested, read).state == state
