/**
 * Names of the IANA database that are aliases of other names, by their first part. `Intl.supportedValuesOf` lists one
 * name of each zone, and engines differ in which one. All of these are valid names.
 */
const BY_REGION: Record<string, string> = {
  Africa: 'Asmara Asmera Timbuktu',
  America: `
    Argentina/Buenos_Aires Argentina/Catamarca Argentina/ComodRivadavia Argentina/Cordoba Argentina/Jujuy
    Argentina/Mendoza Atikokan Atka Buenos_Aires Catamarca Coral_Harbour Cordoba Ensenada Fort_Wayne Godthab
    Indiana/Indianapolis Indianapolis Jujuy Kentucky/Louisville Knox_IN Louisville Mendoza Montreal Nipigon Nuuk
    Pangnirtung Porto_Acre Rainy_River Rosario Santa_Isabel Shiprock Thunder_Bay Virgin Yellowknife`,
  Antarctica: 'South_Pole',
  Asia: `
    Ashkhabad Calcutta Choibalsan Chongqing Chungking Dacca Harbin Ho_Chi_Minh Istanbul Kashgar Kathmandu
    Katmandu Kolkata Macao Rangoon Saigon Tel_Aviv Thimbu Ujung_Pandang Ulan_Bator Yangon`,
  Atlantic: 'Faeroe Faroe Jan_Mayen',
  Australia: 'ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna',
  Brazil: 'Acre DeNoronha East West',
  Canada: 'Atlantic Central Eastern Mountain Newfoundland Pacific Saskatchewan Yukon',
  Chile: 'Continental EasterIsland',
  Etc: `
    GMT GMT+0 GMT+1 GMT+10 GMT+11 GMT+12 GMT+2 GMT+3 GMT+4 GMT+5 GMT+6 GMT+7 GMT+8 GMT+9 GMT-0 GMT-1 GMT-10
    GMT-11 GMT-12 GMT-13 GMT-14 GMT-2 GMT-3 GMT-4 GMT-5 GMT-6 GMT-7 GMT-8 GMT-9 GMT0 Greenwich UCT UTC Universal
    Zulu`,
  Europe: 'Belfast Kiev Kyiv Nicosia Tiraspol Uzhgorod Zaporozhye',
  Mexico: 'BajaNorte BajaSur General',
  Pacific: 'Chuuk Enderbury Johnston Kanton Pohnpei Ponape Samoa Truk Yap',
  US: 'Alaska Aleutian Arizona Central East-Indiana Eastern Hawaii Indiana-Starke Michigan Mountain Pacific Samoa',
}

/** The same for names without a region. */
const BARE = `
  CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran
  Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK
  Singapore Turkey UCT UTC Universal W-SU WET Zulu`

const words = (text: string) => text.trim().split(/\s+/)

/** All of these names in full, such as `Asia/Calcutta`. */
export const LINKS: readonly string[] = [
  ...words(BARE),
  ...Object.entries(BY_REGION).flatMap(([region, places]) => words(places).map((place) => `${region}/${place}`)),
]
