import type { Screen } from './index.ts'
import type { Admin } from '../../e2e/kit/admin.ts'
import { act, button, click, cut, inTurn, link, press, radio, wait } from '../steps.ts'
import { NARROW } from './sizes.ts'

const queue = inTurn(act('manage'), wait(900))
const third = inTurn(queue, (page) => page.getByRole('option').nth(2).click(), wait(900))

/** The profile with another name and photo than when it was reported. */
const profile = inTurn(
  queue,
  (page) =>
    page
      .getByRole('option', { name: /Lindquist|copy of Jonas/ })
      .first()
      .click(),
  wait(900),
)
const setRole = (admin: Admin | undefined, role: string): Promise<unknown> =>
  Promise.resolve(admin?.call('PATCH', '/users', { users: [{ id: 'ola', set: { role } }] }))

/** The review queue of a moderator, and what a reporter sees. */
export const reviewScreens: readonly Screen[] = [
  { name: 'review-queue', stage: 'reviewing', go: third },
  { name: 'review-queue-1024', stage: 'reviewing', go: third, size: [1_024, 900] },
  { name: 'review-queue-450', stage: 'reviewing', go: queue, size: NARROW },
  { name: 'review-item-450', stage: 'reviewing', go: third, size: NARROW },
  {
    name: 'review-selected',
    stage: 'reviewing',
    go: inTurn(third, (page) => page.getByRole('option').nth(1).focus(), press('x', 'Shift+J', 'Shift+J'), wait(500)),
  },
  {
    name: 'review-ban',
    stage: 'reviewing',
    go: inTurn(third, (page) => page.getByRole('option').nth(2).focus(), press('b'), wait(400)),
  },
  {
    name: 'review-keys',
    stage: 'reviewing',
    go: inTurn(third, (page) => page.getByRole('option').nth(2).focus(), press('?'), wait(400)),
  },
  { name: 'review-decided', stage: 'reviewing', go: inTurn(queue, radio('Decided'), wait(900)) },
  { name: 'review-reports', stage: 'reviewing', go: inTurn(queue, radio('Reports'), wait(900)) },
  { name: 'review-profile', stage: 'reviewing', go: profile },
  { name: 'review-profile-450', stage: 'reviewing', go: profile, size: NARROW },
  {
    name: 'review-taken',
    stage: 'reviewing',
    go: inTurn(third, (_page, { admin }) => setRole(admin, 'user'), wait(1_500)),
  },
  {
    name: 'manage-taken',
    stage: 'reviewing',
    go: inTurn(
      (_page, { admin }) => setRole(admin, 'admin'),
      wait(1_500),
      act('manage'),
      wait(600),
      link('Bans and mutes'),
      wait(600),
      (_page, { admin }) => setRole(admin, 'user'),
      wait(1_500),
    ),
  },
  {
    name: 'review-restored',
    stage: 'reviewing',
    go: inTurn((_page, { admin }) => setRole(admin, 'admin'), wait(1_500), queue),
  },
  { name: 'review-offline', stage: 'wired', go: inTurn(queue, cut, wait(300)) },
  { name: 'manage-bans-offline', stage: 'wired', go: inTurn(queue, cut, link('Bans and mutes'), wait(800)) },
  { name: 'manage-history-offline', stage: 'wired', go: inTurn(queue, cut, link('History'), wait(800)) },
  {
    name: 'review-mine',
    stage: 'reviewing',
    go: inTurn(
      act('settings'),
      wait(300),
      (page) => page.getByRole('link', { name: 'Privacy and security' }).click(),
      wait(400),
      click('main summary'),
      wait(200),
      button('Show'),
      wait(700),
    ),
  },
]
