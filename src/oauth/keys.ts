// The key is in the package and the same everywhere, so that equal runs return equal bytes. It proves nothing.

export const KEY_ID = 'fake-calendar-1'

export const PUBLIC_KEY = {
  kty: 'RSA',
  e: 'AQAB',
  n:
    'npWQ-4f64zqIqZ0-SrlZtakfmVNqPvu_lvhdc6bc-z8tiCpcYEJ1-pYf3C1MC8NMZI9tj0Fmn17np4r12_wCkjmVD-jFEOx5JHvlTI2AlvKS' +
    'YcD5gWu0216ebAApZFxbRgxxOVOKZ6Ul-Lk4ImZu46aEVu56L4lofhgC4-6rg731zHec1ScogXpd2fI66Yc3TuDX9yt4EpVuhjbbFyAskPL9' +
    'jVl5qZPZcgOWWL5F5xGjpMf2vV-m5rdBCqnVGlL6nOpPUsPEb0ZbMyCOheqLhhkRcIBGOw0Bkznh0uhvd-z6bxZNQ_L9aZvUj0_BX7i39MX7' +
    '8fMCAK1hsiRUGpbG3w',
}

export const SIGNING_KEY = {
  ...PUBLIC_KEY,
  d:
    'A7OmeVVr2m2djqZrmgW7l1osStrzA8D11vAgCYWsN0OUeRvSbjJlW9HkF0w8_Mu0dwB2F6SSLa3JQIe_REEcs9pOPw6fuWZogxzode7NQQWT' +
    'VZIFZ16WD5M-ckAkUM7RfpzmihnUhQwKcXgS9fkBvtfYBpaof-WR0w4VoZZxQH3F2ilgXPOaOuFINVY1yh6oq7rNNf8NgBV-j_lyjoDdqkOZ' +
    'jh8sPuoE8hy0ACVc4HTCJ56qFlWbgTz1ttifjgBdQBcAHNcy0bJH1R1iJH_mMH_MJSDRsSV8Rd-3zvL9H3KimFUihGhq7lp-3WZBnFnQFQU4' +
    'eCoTcDQj0nHRuxTa6Q',
  p:
    '0xQjqqVBdHdWRXUjpd_DogonnaEeRTn2YbAZ0QhgOePszltXflSUKFUAcnkPp1QPWtJlCBPpHyZvvnGu7m9k8NRdTxBM5e0iUQdurepdHngy' +
    'iAyBPPDQhHmGBIr8-GQrVNyrIsJQfd7u_6WW5YVfno0n49qBbh9fliwxlFAUe3M',
  q:
    'wFV1F6Z7T2tyzFmxPiHi-mDkT8otJRFZ5YhuesEIR0u4d6roYkQvzzaBzJ0E5bEGMs2hd4O6bl_Ykf32_C8LFISI0SmlR6Z4hqP6Sx-txmpP' +
    'Hjy11mPpDHPVp1ogiLV7n6dH-34qOQ_gAHkUoKVlpPZo_4c8w5e-cgf_6AlmA-U',
  dp:
    'pBMwklI46g5likI-_o5MpOWd28LFI-ylX1QjDUCkg_tvNQz9mt6l-B_y5AjEqT4HXYLUNA4-FQ-spu35m7ANV8LL8UxragMFvNS5LQlTbv7h' +
    '0K1fvH44p_FKwrdDYtWCdUm-4ZsINH-ZajFOdYVSSY3R5yUPnQlYJQSfWXlSIo8',
  dq:
    'ZvZYtMx-_sk6r4Lki6qAZCEymDRXbpyXT3V2D2j_EYvLuORZeyGdpoQ7gFoeoQfflZrXca-nQic1PRKEAgT9HYLF65Mr0-ueYhWujEDtOmb2' +
    '6-z8O0VJIU1xdyGcgRMGlzVqJ4wm9l01QYuQK1_fxivTkdfIA71cSpdVu9YsMrE',
  qi:
    'li4lLQjS7AcJSASV36zYEeaCBPuQOs2mzQBF8XFRhQ_NCdNrpQ2jpB1GplriMa0TSyzFW3juZ4r3ADxyGGy5ateGniRgAhAbFGYlyFInwzu7' +
    'DppJsiF0nXnVm1GGMzDcOz0ydCkwwHpWKJdrpfSrx7m9sE8UW_JBLgelHAY9hvU',
}

const CERTIFICATE =
  'MIIDFDCCAfygAwIBAgIBATANBgkqhkiG9w0BAQsFADAiMSAwHgYDVQQDDBdmYWtlLWNhbGVuZGFyLmxvY2FsaG9zdDAgFw0yNjExMjExNTM0' +
  'MTBaGA8yMTI2MTAyODE1MzQxMFowIjEgMB4GA1UEAwwXZmFrZS1jYWxlbmRhci5sb2NhbGhvc3QwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAw' +
  'ggEKAoIBAQCelZD7h/rjOoipnT5KuVm1qR+ZU2o++7+W+F1zptz7Py2IKlxgQnX6lh/cLUwLw0xkj22PQWafXuenivXb/AKSOZUP6MUQ7Hkk' +
  'e+VMjYCW8pJhwPmBa7TbXp5sAClkXFtGDHE5U4pnpSX4uTgiZm7jpoRW7noviWh+GALj7quDvfXMd5zVJyiBel3Z8jrphzdO4Nf3K3gSlW6G' +
  'NtsXICyQ8v2NWXmpk9lyA5ZYvkXnEaOkx/a9X6bmt0EKqdUaUvqc6k9Sw8RvRlszII6F6ouGGRFwgEY7DQGTOeHS6G937PpvFk1D8v1pm9SP' +
  'T8FfuLf0xfvx8wIArWGyJFQalsbfAgMBAAGjUzBRMB0GA1UdDgQWBBQR0MRopKaGhurfoqvHBdW9pSEanTAfBgNVHSMEGDAWgBQR0MRopKaG' +
  'hurfoqvHBdW9pSEanTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBomo1OIUBnHkECYBx8Vt0Ty27E/aHp2w2xZUlqjdpO' +
  'dXLrCaV2uznrAsUnhJHi1ob0IG8lWqQoOYTRwSl/3Lg43zgx++vnWnWpAD2lOJvTaGuyZ7I2DLkULQUoZHaKTGDBykwE+a9w5ioUjqxVcTrz' +
  'wW7RHoN/W3q7xcUQT4v8EZtTDauSUHD86MiyJNGc4uJLbBZ1p1yY2iDnwnqwAyZwgaZjNYLIJll/Egh+j19gasFIYHQ73YjsYrd5hh30pzd1' +
  'PONwp+EKx1b8eqNOQF7lkUlUSQXKAa5l2VLcbbLkXUogJl5vSkitVKG7/pqT2Qubt4FqwUv9HwZSDCz/OosD'

export const CERTIFICATE_PEM = [
  '-----BEGIN CERTIFICATE-----',
  ...(CERTIFICATE.match(/.{1,64}/g) ?? []),
  '-----END CERTIFICATE-----',
  '',
].join('\n')
