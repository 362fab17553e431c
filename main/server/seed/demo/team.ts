import type { SeedChannel, SeedMembership, SeedPerson } from '../plan.ts'

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

const everyone: readonly string[] = people.map(({ id }) => id)
const humans: readonly string[] = people.filter(({ bot }) => bot !== true).map(({ id }) => id)

export const channels: readonly SeedChannel[] = [
  {
    type: 'team',
    id: 'announcements',
    name: 'announcements',
    topic: 'News for everybody. Low traffic, please.',
    memberIds: everyone,
    createdBy: 'priya',
  },
  {
    type: 'team',
    id: 'release-4-2',
    name: 'release-4-2',
    topic: 'Ship 4.2 to both stores. RC2 is out, please break it.',
    memberIds: everyone,
    createdBy: 'ola',
  },
  {
    type: 'team',
    id: 'design-crit',
    name: 'design-crit',
    topic: 'Work in progress, kind and honest words',
    memberIds: ['ola', 'priya', 'hana', 'jonas', 'marcus', 'sofia', 'tomasz'],
    createdBy: 'hana',
  },
  {
    type: 'team',
    id: 'field-trips',
    name: 'field-trips',
    topic: 'Who walks where, with which build',
    memberIds: humans,
    createdBy: 'tomasz',
  },
  {
    type: 'team',
    id: 'map-data',
    name: 'map-data',
    topic: 'Tiles, sources, corrections. Карты, źródła, poprawki.',
    memberIds: everyone,
    createdBy: 'nadia',
  },
  {
    type: 'team',
    id: 'support-triage',
    name: 'support-triage',
    topic: 'One line per case, thread for the rest',
    memberIds: ['ola', 'luis', 'priya', 'jonas', 'marcus', 'timur', 'nadia', 'tomasz'],
    createdBy: 'luis',
  },
  {
    type: 'team',
    id: 'biuro-krakow',
    name: 'biuro-kraków-ogłoszenia-i-sprawy-bieżące',
    topic: 'Klucze, kawa, kurierzy',
    memberIds: ['ola', 'ewa', 'tomasz', 'priya', 'hana'],
    createdBy: 'ewa',
  },
  {
    type: 'team',
    id: 'komanda-almaty',
    name: 'команда-алматы',
    topic: 'Тайлы, сервер, горы',
    memberIds: ['ola', 'nadia', 'timur', 'sofia', 'tomasz'],
    createdBy: 'nadia',
  },
  {
    type: 'team',
    id: 'random',
    name: 'random',
    topic: 'Anything that is not work',
    memberIds: humans,
    createdBy: 'marcus',
  },
  {
    type: 'messaging',
    id: 'leads',
    name: 'leads',
    topic: 'Planning for the quarter',
    memberIds: ['ola', 'priya', 'nadia', 'hana'],
    private: true,
    createdBy: 'priya',
  },
  { type: 'messaging', alias: 'dm-priya', memberIds: ['ola', 'priya'], createdBy: 'priya' },
  { type: 'messaging', alias: 'dm-tomasz', memberIds: ['ola', 'tomasz'], createdBy: 'tomasz' },
  { type: 'messaging', alias: 'dm-nadia', memberIds: ['ola', 'nadia'], createdBy: 'nadia' },
  { type: 'messaging', alias: 'dm-jonas', memberIds: ['ola', 'jonas'], createdBy: 'jonas' },
  { type: 'messaging', alias: 'dm-ewa', memberIds: ['ola', 'ewa'], createdBy: 'ewa' },
  { type: 'messaging', alias: 'dm-timur', memberIds: ['ola', 'timur'], createdBy: 'timur' },
]

export const memberships: readonly SeedMembership[] = [
  { cid: 'team:release-4-2', userId: 'ola', pinned: true },
  { cid: 'messaging:leads', userId: 'ola', pinned: true },
  { cid: 'team:random', userId: 'ola', muted: true },
  { cid: 'team:support-triage', userId: 'hana', muted: true },
  { cid: 'team:map-data', userId: 'nadia', pinned: true },
]
