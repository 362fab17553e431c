import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { openSettings } from '../store.ts'
import { managedStore } from './policies.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'parlor-managed-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const open = (policies: Policies = {}) =>
  managedStore(
    openSettings(folder, () => {}, confFile),
    policies,
  )

test('a managed setting overrides the user’s choice, which is restored without the policy', () => {
  open().update({ keepMessagesDays: 30 })
  const managed = open({ CacheRetentionDays: 7 })
  expect(managed.settings().keepMessagesDays).toBe(7)
  expect(managed.update({ keepMessagesDays: 3_000, theme: 'dark' })).toMatchObject({
    keepMessagesDays: 7,
    theme: 'dark',
  })
  expect(open().settings()).toMatchObject({ keepMessagesDays: 30, theme: 'dark' })
})

test('what the user chose is known under a policy too, and is not its value', () => {
  open().update({ keepMessagesDays: 30 })
  const managed = open({ CacheRetentionDays: 7, AllowLinkPreviews: false, NotificationContent: 'nothing' })
  expect(managed.chosen()).toMatchObject({
    keepMessagesDays: 30,
    linkPreviews: { mode: 'ask' },
    notifications: { preview: 'full' },
  })
})

test('of a group of settings only the managed one is fixed', () => {
  const before = open().settings().notifications
  const managed = open({ NotificationContent: 'nothing' })
  const { notifications } = managed.update({ notifications: { ...before, preview: 'full', sound: false } })
  expect(notifications).toMatchObject({ preview: 'nothing', sound: false })
  expect(open().settings().notifications).toMatchObject({ preview: 'full', sound: false })
})

test('the update mode is managed too, independent of other desktop settings', () => {
  const { desktop } = open().settings()
  const managed = open({ UpdateMode: 'notify' })
  expect(managed.update({ desktop: { ...desktop, updates: 'auto', tray: 'on' } }).desktop).toMatchObject({
    updates: 'notify',
    tray: 'on',
  })
  expect(open().settings().desktop).toMatchObject({ updates: 'auto', tray: 'on' })
})

test('link previews are off while they are forbidden, and restored when they are allowed again', () => {
  const { linkPreviews } = open().settings()
  open().update({ linkPreviews: { ...linkPreviews, mode: 'on', channels: { me: { 'team:a': true } } } })
  expect(open({ AllowLinkPreviews: false }).settings().linkPreviews).toMatchObject({ mode: 'off', channels: {} })
  expect(open({ AllowLinkPreviews: true }).settings().linkPreviews).toMatchObject({ mode: 'on' })
})

test('unchanged settings are the same object', () => {
  const managed = open({ CacheRetentionDays: 7 })
  expect(managed.settings()).toBe(managed.settings())
})
