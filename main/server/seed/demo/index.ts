import type { SeedPlan } from '../plan.ts'

/**
 * The team a fresh machine opens with.
 *
 * @param _now epoch milliseconds; times in the plan are minutes before it
 */
export function demoPlan(_now: number): SeedPlan {
  return {
    people: [
      { id: 'maja', name: 'Maja Kowalska', title: 'Product designer', language: 'pl', role: 'admin' },
      { id: 'owen', name: 'Owen Clarke', title: 'Engineer', language: 'en' },
      { id: 'irina', name: 'Ирина Соколова', title: 'Support lead', language: 'ru' },
    ],
    channels: [
      {
        type: 'team',
        id: 'general',
        name: 'general',
        topic: 'Everything everybody should know',
        memberIds: ['maja', 'owen', 'irina'],
        createdBy: 'maja',
      },
      { type: 'messaging', alias: 'maja-owen', memberIds: ['maja', 'owen'], createdBy: 'owen' },
    ],
    messages: [
      { id: 'demo-1', cid: 'team:general', userId: 'maja', text: 'Welcome, everyone!', at: 3_000, pinned: true },
      {
        id: 'demo-2',
        cid: 'team:general',
        userId: 'owen',
        text: 'Good to be here. When do we meet?',
        at: 2_990,
        reactions: [{ type: 'like', userIds: ['maja', 'irina'] }],
      },
      { id: 'demo-3', cid: 'team:general', userId: 'maja', text: 'A vote:', at: 200, pollId: 'demo-poll' },
      { id: 'demo-4', cid: 'team:general', userId: 'irina', text: 'Мне подходит четверг.', at: 150, parentId: 'demo-3' },
      { id: 'demo-5', cid: 'maja-owen', userId: 'owen', text: 'Masz chwilę po obiedzie?', at: 45 },
      {
        id: 'demo-6',
        cid: 'team:general',
        userId: 'irina',
        text: '@Maja Kowalska the notes are ready.',
        at: 12,
        mentionedUserIds: ['maja'],
      },
    ],
    polls: [
      {
        id: 'demo-poll',
        createdBy: 'maja',
        name: 'Which day suits you?',
        options: [
          { id: 'thu', text: 'Thursday', votes: ['irina'] },
          { id: 'fri', text: 'Friday', votes: ['owen'] },
        ],
      },
    ],
    reads: [
      { cid: 'team:general', userId: 'maja', atMessageId: 'demo-3' },
      { cid: 'maja-owen', userId: 'maja' },
    ],
  }
}
