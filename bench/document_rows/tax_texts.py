"""Texts of tax registrations: published forms with fictitious holders.

The character | separates the cells of a line. Letters that the standard PDF fonts lack are written
without diacritics. `holder`, `number`, `date`, `country` and `issuer` (a word of it) are what the
document states. `others` are numbers of third parties, which must never be reported as the
holder's.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Registration:
    name: str
    text: str
    holder: str
    number: str
    date: str
    country: str
    issuer: str
    others: tuple[str, ...] = ()


REGISTRATIONS = (
    Registration(
        "uk certificate",
        """HM Revenue & Customs
        Certificate of Registration for Value Added Tax
        We have registered the following business for VAT
        Registration number (VRN) | 411 0561 67
        Trading name | Tern & Oakley Joinery
        Name of taxable person | TERN AND OAKLEY LIMITED
        Effective date of registration | 1 April 2023
        Principal place of business | 8 Weir Lane, Skipton, BD23 1QT
        Agent: Marlow Accounts LLP, VAT number 980 7806 84""",
        "TERN AND OAKLEY LIMITED", "411056167", "2023-04-01", "GB", "Customs", ("980780684",),
    ),
    Registration(
        "germany identification number",
        """Bundeszentralamt für Steuern
        Dienstsitz Saarlouis
        Erteilung einer Umsatzsteuer-Identifikationsnummer
        Sehr geehrte Damen und Herren,
        auf Ihren Antrag wird Ihnen folgende Umsatzsteuer-Identifikationsnummer (USt-IdNr.) erteilt:
        USt-IdNr.: DE775502429
        Firma: Lindgruber Feinmechanik GmbH
        Anschrift: Gerberstraße 12, 04105 Leipzig
        gültig ab: 14.02.2022""",
        "Lindgruber Feinmechanik GmbH", "DE775502429", "2022-02-14", "DE", "Bundeszentralamt",
    ),
    Registration(
        "germany taxable person",
        """Finanzamt Leipzig II
        Bescheinigung über die Eintragung als Steuerpflichtiger (Unternehmer)
        Hiermit wird bescheinigt, dass
        Name und Vorname oder Firma: Brandt Solartechnik GmbH
        Anschrift: Am Kanal 3, 04179 Leipzig
        unter der Steuernummer 232/107/24563 als Steuerpflichtiger erfasst ist.
        Datum: 03.05.2024
        Steuerberater: Kanzlei Voss, Steuernummer 232/999/00012""",
        "Brandt Solartechnik GmbH", "23210724563", "2024-05-03", "DE", "Finanzamt", ("23299900012",),
    ),
    Registration(
        "france intracommunautaire",
        """RÉPUBLIQUE FRANÇAISE
        Direction générale des Finances publiques
        Service des impôts des entreprises de Nantes
        Attestation d'assujettissement à la TVA
        Raison sociale | ATELIERS KERVADEC
        N° TVA intracommunautaire | FR 78 747349520
        Adresse | 5 rue du Port 44000 Nantes
        Assujetti depuis le | 01/09/2021""",
        "ATELIERS KERVADEC", "FR78747349520", "2021-09-01", "FR", "Finances publiques",
    ),
    Registration(
        "spain card",
        """Agencia Tributaria
        TARJETA ACREDITATIVA DEL NÚMERO DE IDENTIFICACIÓN FISCAL
        NÚMERO DE IDENTIFICACIÓN FISCAL DEFINITIVO
        B95080644
        Denominación o Razón Social
        TALLERES ARRIGORRI SL
        Domicilio Fiscal
        CALLE IPARRAGUIRRE 20, 48009 BILBAO
        Fecha N.I.F. Definitivo: 19-06-2020
        Representante: Ana Ugarte, NIF 12345678Z""",
        "TALLERES ARRIGORRI SL", "B95080644", "2020-06-19", "ES", "Agencia Tributaria", ("12345678Z",),
    ),
    Registration(
        "italy attribution",
        """AGENZIA DELLE ENTRATE
        Direzione Provinciale di Modena
        CERTIFICATO DI ATTRIBUZIONE DEL NUMERO DI PARTITA IVA
        Si certifica che al soggetto di seguito indicato è stata attribuita
        PARTITA IVA 42947091007
        Denominazione: FONDERIA PANARO SRL
        Domicilio fiscale: VIA EMILIA 140, 41121 MODENA
        Data inizio attività: 10/01/2019""",
        "FONDERIA PANARO SRL", "42947091007", "2019-01-10", "IT", "Entrate",
    ),
    Registration(
        "portugal start",
        """AUTORIDADE TRIBUTÁRIA E ADUANEIRA
        Declaração de início de atividade
        COMPROVATIVO
        NIF | 531245527
        Denominação | CORTIÇA DO VOUGA, LDA
        Domicílio fiscal | Rua da Fábrica 7, 3810-164 Aveiro
        Data de início | 2020-03-02
        Contabilista certificado: NIF 211000002""",
        "CORTIÇA DO VOUGA, LDA", "531245527", "2020-03-02", "PT", "Autoridade Tribut", ("211000002",),
    ),
    Registration(
        "netherlands letter",
        """Belastingdienst
        Datum 4 oktober 2021
        Onderwerp: Bevestiging btw-identificatienummer
        Naam onderneming: Veenbeek Optiek B.V.
        Btw-identificatienummer: NL539492061B01
        Vestigingsadres: Lange Nering 14, 8302 EC Emmeloord
        Ingangsdatum: 1 oktober 2021""",
        "Veenbeek Optiek B.V.", "NL539492061B01", "2021-10-01", "NL", "Belastingdienst",
    ),
    Registration(
        "poland vat-5",
        """Naczelnik Urzedu Skarbowego w Gliwicach
        VAT-5 POTWIERDZENIE ZAREJESTROWANIA PODATNIKA JAKO PODATNIKA VAT
        Identyfikator podatkowy NIP: 3006896571
        Nazwa pelna: HUTNIK SERWIS SP. Z O.O.
        Adres siedziby: ul. Zwyciestwa 21, 44-100 Gliwice
        Data rejestracji: 12.07.2019""",
        "HUTNIK SERWIS SP. Z O.O.", "3006896571", "2019-07-12", "PL", "Skarbowego",
    ),
    Registration(
        "sweden registration",
        """Skatteverket
        Registerutdrag
        Registrerad för moms
        Företagsnamn: Granlund Virke AB
        Momsregistreringsnummer: SE656011491701
        Registreringsdatum: 2018-11-05
        Adress: Sågvägen 2, 931 37 Skellefteå""",
        "Granlund Virke AB", "SE656011491701", "2018-11-05", "SE", "Skatteverket",
    ),
    Registration(
        "denmark certificate",
        """Skattestyrelsen
        REGISTRERINGSBEVIS
        Virksomheden er registreret for moms
        CVR-/SE-nummer: 95270581
        Navn: Fjordbo Keramik ApS
        Adresse: Havnegade 9, 7600 Struer
        Registreringsdato: 01.02.2020""",
        "Fjordbo Keramik ApS", "95270581", "2020-02-01", "DK", "Skattestyrelsen",
    ),
    Registration(
        "austria notice",
        """Finanzamt Österreich
        Bescheid über die Erteilung einer Umsatzsteuer-Identifikationsnummer
        Name: Traunauer Backhaus KG
        UID-Nummer: ATU25388069
        Anschrift: Marktplatz 4, 4810 Gmunden
        Gültig ab: 22.08.2022""",
        "Traunauer Backhaus KG", "ATU25388069", "2022-08-22", "AT", "Finanzamt",
    ),
    Registration(
        "ireland letter",
        """Office of the Revenue Commissioners
        VAT Registration Notification
        Dear Sir or Madam,
        Name: Inishmoy Knitwear Limited
        You have been registered for VAT with effect from 1 May 2022.
        Your VAT number is IE2147589F.
        Business address: 3 Quay Street, Westport, Co. Mayo""",
        "Inishmoy Knitwear Limited", "IE2147589F", "2022-05-01", "IE", "Revenue Commissioners",
    ),
    Registration(
        "australia abn",
        """Australian Business Register
        ABN registration confirmation
        Entity name: WATTLEBANK CARTAGE PTY LTD
        ABN: 68 864 818 986
        ABN status: Active from 14 Mar 2019
        GST: Registered from 1 Jul 2019
        Main business location: VIC 3350
        Tax agent: Hume Tax Pty Ltd, ABN 51 824 753 556""",
        "WATTLEBANK CARTAGE PTY LTD", "68864818986", "2019-03-14", "AU", "Business Register", ("51824753556",),
    ),
    Registration(
        "india gst",
        """Government of India
        Form GST REG-06
        [See Rule 10(1)]
        Registration Certificate
        Registration Number : 27AAKCM4821L1Z4
        1. | Legal Name | MANDOVI PUMPS PRIVATE LIMITED
        2. | Trade Name, if any | MANDOVI PUMPS
        3. | Constitution of Business | Private Limited Company
        4. | Address of Principal Place of Business | 14, Senapati Road, Pune, Maharashtra, 411004
        5. | Date of Liability | 01/07/2021
        6. | Period of Validity | From | 05/07/2021
        9. | Date of issue of Certificate | 06/07/2021""",
        "MANDOVI PUMPS PRIVATE LIMITED", "27AAKCM4821L1Z4", "2021-07-06", "IN", "India",
    ),
    Registration(
        "india udyam",
        """UDYAM REGISTRATION CERTIFICATE
        Ministry of Micro, Small and Medium Enterprises
        UDYAM REGISTRATION NUMBER | UDYAM-KR-03-0098172
        NAME OF ENTERPRISE | PALAR TEXTILE WORKS
        DATE OF INCORPORATION / REGISTRATION OF ENTERPRISE | 12/02/2018
        DATE OF UDYAM REGISTRATION | 03/09/2021
        OFFICIAL ADDRESS OF ENTERPRISE | 9 Mill Road, Bengaluru, Karnataka, 560023""",
        "PALAR TEXTILE WORKS", "UDYAM-KR-03-0098172", "2018-02-12", "IN", "Ministry of Micro",
    ),
    Registration(
        "emirates certificate",
        """Federal Tax Authority
        VAT Registration Certificate
        Tax Registration Number | 100428817600003
        Legal Name of Entity | SAFFRON DUNE TRADING LLC
        Effective Registration Date | 01/01/2020
        Date of Issue | 14/12/2019
        Registered Address | Office 21, Al Khaleej Road, Dubai, UAE""",
        "SAFFRON DUNE TRADING LLC", "100428817600003", "2020-01-01", "AE", "Federal Tax Authority",
    ),
    Registration(
        "kenya pin",
        """KENYA REVENUE AUTHORITY
        PIN Certificate
        For General Tax Questions Contact KRA Call Centre
        Personal Identification Number | P051234567R
        Certificate Date | 11/03/2022
        Taxpayer Name | LAKE VICTORIA NETS LIMITED
        This is to certify that taxpayer shown herein has been registered with Kenya Revenue Authority""",
        "LAKE VICTORIA NETS LIMITED", "P051234567R", "2022-03-11", "KE", "Kenya Revenue",
    ),
    Registration(
        "brazil cnpj",
        """REPÚBLICA FEDERATIVA DO BRASIL
        Receita Federal
        COMPROVANTE DE INSCRIÇÃO E DE SITUAÇÃO CADASTRAL
        NÚMERO DE INSCRIÇÃO | DATA DE ABERTURA
        89.028.159/8391-01 | 23/02/2016
        NOME EMPRESARIAL
        SERRA DO MEL ALIMENTOS LTDA
        CEP | MUNICÍPIO
        35790-000 | CURVELO""",
        "SERRA DO MEL ALIMENTOS LTDA", "89028159839101", "2016-02-23", "BR", "Receita Federal",
    ),
    Registration(
        "mexico constancia",
        """SERVICIO DE ADMINISTRACIÓN TRIBUTARIA
        CONSTANCIA DE SITUACIÓN FISCAL
        Lugar y Fecha de Emisión: PUEBLA, PUEBLA A 09 DE ENERO DE 2024
        RFC: MAQ180312HG5
        Denominación/Razón Social: MAQUILAS DEL ATOYAC
        Régimen Capital: SOCIEDAD ANONIMA DE CAPITAL VARIABLE
        Fecha inicio de operaciones: 12 DE MARZO DE 2018""",
        "MAQUILAS DEL ATOYAC", "MAQ180312HG5", "2018-03-12", "MX", "Tributaria",
    ),
    Registration(
        "chile rut",
        """SERVICIO DE IMPUESTOS INTERNOS
        e-RUT Cédula RUT electrónica
        RUT: 71.500.940-4
        Razón Social: FUNDACION VALLE ELQUI
        Fecha de emisión: 02-05-2023
        Dirección: Los Carrera 310, La Serena""",
        "FUNDACION VALLE ELQUI", "71500940-4", "2023-05-02", "CL", "Impuestos Internos",
    ),
    Registration(
        "switzerland uid",
        """Eidgenössische Steuerverwaltung ESTV
        Hauptabteilung Mehrwertsteuer
        Eintragungsbescheinigung
        Firma: Sihlberg Optik AG
        MWST-Nummer: CHE-710.037.439 MWST
        Adresse: Dorfstrasse 11, 8810 Horgen
        Eingetragen seit: 01.01.2021""",
        "Sihlberg Optik AG", "CHE710037439", "2021-01-01", "CH", "Steuerverwaltung",
    ),
    Registration(
        "norway certificate",
        """Skatteetaten
        Bekreftelse på registrering i Merverdiavgiftsregisteret
        Organisasjonsnummer: 307 744 678 MVA
        Navn: Lofthavn Fisk AS
        Adresse: Strandgata 5, 8300 Svolvær
        Registreringsdato: 15.03.2021""",
        "Lofthavn Fisk AS", "307744678", "2021-03-15", "NO", "Skatteetaten",
    ),
    Registration(
        "belgium letter",
        """SPF FINANCES
        Administration générale de la Fiscalité
        Attestation d'identification à la TVA
        Dénomination: BRASSERIE DU HOYOUX SRL
        Numéro de TVA: BE 0599.045.571
        Siège: Rue des Remparts 3, 4500 Huy
        Date d'identification: 01/06/2017""",
        "BRASSERIE DU HOYOUX SRL", "BE0599045571", "2017-06-01", "BE", "Finances",
    ),
)  # fmt: skip
