import type { Admin } from '../e2e/kit/admin.ts'

type Sent = { readonly message: { readonly id: string; readonly user: { readonly image?: string } } }

/** Reported messages and people for the review queue of a moderator, and some that were decided. */
export async function addReports(admin: Admin, moderator: string): Promise<void> {
  await admin.call('POST', '/users', { users: { [moderator]: { id: moderator, role: 'admin' } } })
  await admin.people('kirill', 'sam', 'mateo', 'grace')
  const people = ['ola', 'luis', 'priya', 'jonas', 'kirill', 'sam', 'mateo', 'grace']
  const open = (id: string): Promise<unknown> =>
    admin.call('POST', `/channels/team/${id}/query`, {
      data: { name: id, members: people, created_by_id: 'ola' },
      state: false,
    })
  for (const id of ['community', 'trail-talk', 'gear']) await open(id)
  const photos = new Map<string, string | undefined>()
  const say = async (channel: string, userId: string, text: string): Promise<string> => {
    const path = `/channels/team/${channel}/message`
    const { message } = (await admin.call('POST', path, { message: { text } }, userId)) as Sent
    photos.set(userId, message.user.image)
    return message.id
  }
  const change = (id: string, name: string, image: string | undefined): Promise<unknown> =>
    admin.call('PATCH', '/users', { users: [{ id, set: { name, image } }] })
  const report = (id: string, userId: string, reason: string): Promise<unknown> =>
    admin.call('POST', '/moderation/flag', { target_message_id: id, reason }, userId)
  const early = await say('gear', 'mateo', 'GPS units at half price, today only: gps-outlet.example/deal')
  await report(early, 'luis', 'spam')
  const kept = await say('gear', 'grace', 'That is not what I said at all.')
  await report(kept, 'mateo', 'insult')
  await say('community', 'priya', 'Does anyone have the winter layer for the Gorce range?')
  await say('community', 'luis', 'It’s in the region list since 4.1, under “Seasonal”.')
  await say('community', 'priya', 'Found it, thank you 🙏')
  const spam = await say(
    'community',
    'kirill',
    'Продаю карты офлайн, все регионы за 500 тенге, пишите в личку, скидки сегодня!!!',
  )
  await say('community', 'luis', 'Please don’t buy those, the layers are free in the app.')
  await say('community', 'jonas', 'Zgłoszone. To już trzeci raz dzisiaj.')
  await say('community', 'priya', 'Back to Gorce: is the Turbacz hut open on weekdays?')
  await report(spam, 'luis', 'spam')
  await report(spam, 'jonas', 'spam: już trzeci raz dzisiaj')
  await report(spam, 'priya', 'spam')
  const rude = await say(
    'trail-talk',
    'sam',
    'You clearly never walked this trail, stop writing about things you know nothing of.',
  )
  await report(rude, 'priya', 'insult')
  await change('grace', 'Jonas Lindquist', photos.get('jonas'))
  await admin.call(
    'POST',
    '/moderation/flag',
    { target_user_id: 'grace', reason: 'other: looks like a copy of Jonas’s account' },
    'luis',
  )
  await change('grace', 'Grace', photos.get('priya'))
  await decide(admin, kept, 'jonas')
  // Ola’s own report, which someone else decided.
  await report(early, moderator, 'spam')
}

/** Approved by another moderator. */
async function decide(admin: Admin, messageId: string, by: string): Promise<void> {
  const { items } = (await admin.call('POST', '/api/v2/moderation/review_queue', {
    filter: { entity_id: messageId },
  })) as { items: { id: string }[] }
  const body = { action_type: 'mark_reviewed', item_id: items[0]?.id }
  await admin.call('POST', '/api/v2/moderation/submit_action', body, by)
}
