/** Splits a text at a separator, without white space at its ends. */
const list = (text: string, separator: string | RegExp = ' '): readonly string[] => text.trim().split(separator)
/** Splits a text into its lines, without white space around them. */
const lines = (text: string): readonly string[] => list(text, /\s*\n\s*/)

/** First and last names, one line per culture. */
export const NAMES: readonly { first: readonly string[]; last: readonly string[] }[] = lines(`
Amara Chidi Efua Kwame Ngozi Tunde Zola Abena | Adeyemi Boateng Diallo Mensah Nwosu Okonjo Sesay Asante
Mei Jun Lian Qiang Xiu Bowen Yun Haoran | Chen Fang Gao Liang Shen Wu Zhou Xie
Haruka Kenji Sora Yui Takumi Nao Emi Ren | Fujita Hayashi Kimura Mori Ogawa Sakai Ueda Yamane
Jisoo Minho Hana Seojun Yuna Dowon Sujin Taeyang | Bae Hwang Jang Kwon Noh Ryu Seo Yoon
Anika Devika Rohan Kavya Nikhil Priya Sanjay Vikram | Banerjee Desai Iyer Kulkarni Mehta Rao Sinha Varma
Layla Omar Yasmin Tariq Noor Karim Salma Idris | Amrani Darwish Haddad Khoury Nasser Rahal Saleh Zidan
Defne Emre Elif Kerem Selin Baris Leyla Ozan | Aksoy Demir Kaya Polat Sahin Tekin Yilmaz Arslan
Ximena Mateo Lucia Joaquin Paloma Rafael Valentina Thiago | Aguilar Cabrera Figueroa Ibarra Montoya Pereira Quiroga Salgado
Freya Lars Ingrid Soren Astrid Mikkel Signe Torben | Aalto Bergstrom Dahl Eklund Halvorsen Lindgren Nygaard Solberg
Ottilie Jonas Greta Matthias Liesel Ruben Annika Florian | Baumann Eberhardt Hoffmann Keller Lorenz Reinhardt Vogel Ziegler
Camille Remy Elodie Bastien Margaux Luc Solene Thibault | Beaumont Chevalier Delacroix Fournier Lambert Marchand Renard Vasseur
Giulia Lorenzo Chiara Matteo Ornella Dario Fiamma Sandro | Barbieri Colombo Esposito Ferraro Lombardi Moretti Ricci Vitale
Katya Mikhail Zofia Piotr Milena Luka Irina Tomasz | Dvorak Horvat Ivanova Kowalska Novak Petrov Sokolov Zielinski
Niamh Callum Aoife Rhys Bronwyn Fergus Eilidh Gethin | Brannigan Carrick Drummond Gallagher Llewellyn Macrae Pritchard Sutherland
Leilani Keoni Malia Tane Aroha Nikau Moana Kalani | Kahale Makoa Parata Rangi Tamihana Walker Waititi Kealoha
Clementine Jasper Winifred Desmond Harriet Leopold Rosalind Silas | Ashworth Blackwood Fairchild Hathaway Langley Pemberton Thornton Whitlock
`).map((line) => {
  const [first = '', last = ''] = line.split(' | ')
  return { first: list(first), last: list(last) }
})

/** Names of companies in lower case, which become domains and are each one label. */
export const COMPANIES = list(
  `
amberfield aspenline basaltworks birchway bluefinch brightloom cedarpoint clearbrook cobaltgrid copperleaf coralbay
driftwood duskmoor elmhurst emberlight fernbridge firthwind foxglove glasswing goldenrod granitehill greywater hazelmere
heronsgate hollowoak indigoworks ironwood ivorylane juniperhall kestrelway kingfisher larkspur lavenderfield linenhouse
maplecroft meadowlark millstone mistral moonstone mossbank nightjar novaquill oakenshaw obsidian orchardrow ospreyworks
paperkite pebblebrook pinecrest quartzline quillstone ravenswood redcurrant riverstone rookwood rosewater saffronhill
sagebrush sandpiper silverbirch skylarks slateford snowdrop spruceline starling stonebridge sunmeadow swallowtail
tamarack thistledown tidewater timberline topaz tulipfield umberland vantagepoint velvetmoss violetrow waxwing
whitecap wildrye willowmere windrose wrenfield yarrowby zephyrworks
`,
  /\s+/,
)

/** Meeting titles by the structure of an event. `{name}` is replaced by the first name of the other guest. */
export const TITLES = {
  oneToOne: lines(`
    1:1 {name}
    Catch-up {name}
    {name}: career chat
    Coffee with {name}
    Mentoring with {name}
    Touchpoint {name}
    Weekly one-to-one with {name}
    {name}: goals and feedback
    Handover with {name} before the holidays
    Pairing session with {name} on the new importer
  `),
  team: lines(`
    Stand-up
    Retro
    Backlog
    Sprint kick-off
    Team huddle
    Demo hour
    Roadmap check-in
    Budget round
    Quarterly outlook
    Architecture forum
    Support rotation handover
    Hiring panel debrief
    Customer feedback session
    Launch checklist walk-through
    Incident follow-up and lessons
    Staffing outlook for the coming quarter
    Cross-team dependencies and open questions
    Accessibility audit: findings and next steps
  `),
  meeting: lines(`
    Interview
    Workshop
    Vendor call
    Pitch
    Kick-off
    Contract talks
    Product tour
    Candidate panel
    Press briefing
    Pricing session
    Security audit
    Onboarding call
    Site inspection
    Supplier negotiation
    Partner introduction
    Prototype walk-through
    Research findings, part one
    Conference talk: dry run
    Licence renewal with the supplier
    Brand guidelines: first impressions
    Draft agreement, comments from both sides
    Proposal for the pilot: questions and answers
  `),
  personal: lines(`
    Gym
    Dentist
    Yoga
    Haircut
    Piano
    Optician
    School run
    Groceries
    Physio
    Book club
    Swimming
    Parents' evening
    Vet appointment
    Bike repair
    Choir practice
    Car inspection
    Language lesson
    Call the landlord
    Pick up the parcel
    Dinner with neighbours
    Flu jab at the pharmacy
    Tax papers: sort receipts
    Renew the passport, bring photographs
    Collect the dry cleaning on the way home
  `),
  allDay: lines(`
    Trip
    Offsite
    Birthday
    Trade fair
    Public holiday
    Moving house
    Long weekend
    Mountain hut
    Team retreat
    Wedding party
    Visiting grandparents
    Annual convention
    Renovation, days at home
    Holiday by the sea with friends
    Training course, first module
  `),
  absence: lines(`
    Away
    On leave
    Parental leave
    Out until further notice
    Travelling, answering slowly
    Sabbatical, please reach my deputy
  `),
  focus: lines(`
    Focus
    Deep work
    Writing time
    No interruptions, please
    Reading and annotating drafts
    Preparing slides for the convention
  `),
} as const

/** Summaries of calendars. */
export const CALENDARS = lines(`
  Crew
  Launches
  Shifts
  Workshops
  Absences
  Editorial plan
  Public talks
  Visitors
  Maintenance windows
  Lecture series
  On-call rota
  Family
  Sports club
  Release train
  Studio bookings
  Field trips
  Community evenings
  Garden committee
`)

/** Locations of events and rooms. */
export const PLACES = lines(`
  Room Juniper
  Room Cobalt
  Room Heron
  Room Saffron
  Lobby
  Canteen
  Courtyard
  North studio
  Glass house
  Attic library
  Harbour kiosk
  Old brewery
  Botanical garden
  Lecture theatre
  Riverside pavilion
  Tram depot, main hall
  Tea house behind the museum
  Clinic on Orchard Lane, second floor
  Town hall, registry office, ground floor
`)

/** Single words, as stand-ins for words, keys and labels. */
export const WORDS = list(
  `
amber anchor apricot atlas badger balcony bamboo barley basil beacon bramble breeze butter button canvas caramel cello
cherry cider cinnamon citrus clover cocoa compass copper cotton cricket crystal cypress daisy dapple dolphin ember
falcon feather fennel fiddle flannel garnet ginger glacier harvest hazel heather hickory honey iris island ivory jasmine
kettle lagoon lantern lavender lemon lilac linen lotus magnet mango marble meadow melon mint mosaic nectar nutmeg oasis
olive onyx opal orchid otter oyster paprika parsley peach pearl pebble pepper pigeon plum poplar poppy prairie pumpkin
quartz quince rabbit raisin reef ribbon rosemary saddle saffron salmon sapling satin sesame shadow silver sorrel sparrow
spinach sunset tangerine teapot thicket thimble thyme timber topaz tulip turnip umber vanilla velvet violet walnut willow
`,
  /\s+/,
)

/** Two or three words, as stand-ins for texts that are not sentences. */
export const PHRASES = lines(`
  first draft
  open points
  spare keys
  meeting notes
  short agenda
  second attempt
  travel plans
  green folder
  printed copies
  revised figures
  background reading
  latest numbers
  paper trail
  rough outline
  common ground
  final touches
  window seat
  seating chart
`)

/** Sentences, as stand-ins for texts of more than four words. */
export const SENTENCES = lines(`
  Slides are in the shared folder.
  Bring a printed copy.
  Coffee is on the house.
  Agenda follows tomorrow.
  Somebody should take minutes.
  Dial in if you are on the road.
  The projector needs the small adapter.
  Numbers get sent round on Friday.
  Use the side entrance after seven.
  Comments in the margin are welcome.
  We go through the list from the top.
  Lunch gets ordered at eleven sharp.
  Figures from last autumn are attached.
  Ask at the desk for a visitor badge.
  Half an hour is plenty for everyone.
  An outline of the topics hangs on the wall.
  Questions go to the organiser beforehand.
  Leave your luggage with the porter.
  The second part is optional for newcomers.
  Drafts stay confidential until publication.
`)

/** Consonants and vowels for invented names, used after a list is exhausted. */
export const SYLLABLES = { consonants: 'bdfghklmnprstv', vowels: 'aeiou' } as const
