import type { SeedPerson } from '../plan.ts'

/** The team of the demo workspace: Cairn Maps makes hiking maps in Kraków, Almaty and on the road. All invented. */
export const people: readonly SeedPerson[] = [
  {
    id: 'ola',
    name: 'Ola Wiśniewska',
    title: 'Release manager',
    image: 'portrait-ola.png',
    language: 'pl',
    role: 'admin',
  },
  { id: 'priya', name: 'Priya Raman', title: 'Product lead', image: 'portrait-priya.png', language: 'en' },
  { id: 'jonas', name: 'Jonas Lindqvist', title: 'Android', image: 'portrait-jonas.png', language: 'en' },
  { id: 'tomasz', name: 'Tomasz Zieliński', title: 'Field testing', image: 'portrait-tomasz.png', language: 'pl' },
  { id: 'nadia', name: 'Надежда Соколова', title: 'Map data', image: 'portrait-nadia.png', language: 'ru' },
  {
    id: 'ewa',
    name: 'Ewa Szczepańska-Kowalczyk',
    title: 'Office in Kraków',
    image: 'portrait-ewa.png',
    language: 'pl',
  },
  { id: 'timur', name: 'Тимур Ахметов', title: 'Backend', language: 'ru' },
  { id: 'marcus', name: 'Marcus Feld', title: 'iOS', image: 'portrait-marcus.png', language: 'en' },
  { id: 'hana', name: 'Hana Mori', title: 'Product design', image: 'portrait-hana.png', language: 'en' },
  { id: 'luis', name: 'Luis Ortega', title: 'Support', image: 'portrait-luis.png', language: 'en' },
  { id: 'sofia', name: 'Sofia Berg', title: 'Cartography', language: 'en' },
  { id: 'ci', name: 'Cairn CI', title: 'Builds', image: 'portrait-ci.png', language: 'en', bot: true },
]

export const everyone: readonly string[] = people.map(({ id }) => id)
export const humans: readonly string[] = people.filter(({ bot }) => bot !== true).map(({ id }) => id)
