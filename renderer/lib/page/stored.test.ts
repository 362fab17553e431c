import { beforeEach, expect, test } from 'vitest'
import { BACKUP_PREFIX, deleteStored, nameFor } from './stored.ts'

beforeEach(() => localStorage.clear())

test('what was stored for a deleted account is removed, with its texts; that of others and of the device remains', () => {
  const backup = (account: string): string => JSON.stringify({ account, drafts: [], sends: [] })
  localStorage.setItem(nameFor('parlor.emoji.recent', 'home'), '[]')
  localStorage.setItem(nameFor('parlor.reminders.answered', 'home'), '{}')
  localStorage.setItem(`${BACKUP_PREFIX}1`, backup('home'))
  localStorage.setItem(`${BACKUP_PREFIX}2`, '{"account":"ho')
  const remaining = {
    'parlor.emoji.recent.work': '[]',
    'parlor.emoji.tone': '2',
    [`${BACKUP_PREFIX}3`]: backup('work'),
  }
  for (const [name, value] of Object.entries(remaining)) localStorage.setItem(name, value)
  deleteStored(localStorage, ['home'])
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual(remaining)
})
