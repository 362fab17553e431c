import type { SeedPoll } from '../plan.ts'

export const polls: readonly SeedPoll[] = [
  {
    id: 'demo-poll-valley',
    createdBy: 'tomasz',
    name: 'Where do we test on Saturday?',
    description: 'Two cars, eight places',
    options: [
      { id: 'koscieliska', text: 'Dolina Kościeliska', votes: ['ola', 'tomasz', 'ewa', 'hana', 'luis'] },
      { id: 'chocholowska', text: 'Dolina Chochołowska', votes: ['priya', 'jonas'] },
      { id: 'pieniny', text: 'Trzy Korony', votes: ['marcus'] },
    ],
    enforceUniqueVote: true,
  },
  {
    id: 'demo-poll-icons',
    createdBy: 'hana',
    name: 'Which closure icons stay?',
    options: [
      { id: 'barrier', text: 'Barrier', votes: ['jonas', 'marcus', 'priya', 'sofia'] },
      { id: 'cone', text: 'Traffic cone', votes: ['tomasz'] },
      { id: 'hand', text: 'Raised hand', votes: ['ola', 'sofia'] },
      { id: 'cross', text: 'Plain cross', votes: ['marcus', 'jonas', 'ola'] },
    ],
    maxVotesAllowed: 2,
  },
  {
    id: 'demo-poll-lunch',
    createdBy: 'ewa',
    name: 'Co zamawiamy w piątek?',
    options: [
      { id: 'pierogi', text: 'Pierogi', votes: ['ewa', 'tomasz', 'ola'] },
      { id: 'ramen', text: 'Ramen', votes: ['hana'] },
      { id: 'pizza', text: 'Pizza', votes: ['priya'] },
    ],
    closed: true,
  },
  {
    id: 'demo-poll-offsite',
    createdBy: 'priya',
    name: 'Offsite: how was it?',
    options: [
      { id: 'great', text: 'Again, please', votes: ['ola', 'nadia', 'hana'] },
      { id: 'fine', text: 'Good, but shorter', votes: [] },
    ],
    anonymous: true,
    allowAnswers: true,
  },
]
