import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { CAMPAIGN_NAME_LENGTH, type CampaignContent } from '#shared/domain/manage/campaigns.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isSame } from '#shared/lib/same.ts'
import { cutText } from '#shared/rules/messages/text.ts'
import { SAVE_AFTER_MS, SAVE_WITHIN_MS, useSaveOnLeave } from '../../../lib/page/saving.ts'
import { useAppDispatch, useObject } from '../../../store/hooks.ts'
import { perAccount } from '../../../store/objects.ts'
import { keepCampaignDraft, loadCampaignDrafts } from './commands.ts'
import { useTopic } from '../state.ts'

export type CampaignDrafts = Readonly<Record<string, CampaignDraft>>

/** When a draft was stored on this device, or why it was not. */
export type Kept = { readonly at?: number; readonly error?: ErrorBody }

/** Changed in this window and not stored yet, also where storing failed; `undefined`: to be deleted. */
const UNSTORED = perAccount(() => new Map<string, CampaignDraft | undefined>())

/**
 * Campaigns that are being written, by their id; `''` is the new one. What is typed is stored on this device after a short
 * pause, when the window loses focus or closes, and when the page is left. So nothing is lost without a connection, or if
 * the window crashes. What cannot be stored stays here, and is tried again with the next change, each of these times and
 * by `retry`. What another window stores is taken over, unless something here is not stored.
 */
export function useCampaignDrafts() {
  const dispatch = useAppDispatch()
  const unstored = useObject(UNSTORED)
  const [drafts, setDrafts] = useState(() => written(unstored))
  const [kept, setKept] = useState<Readonly<Record<string, Kept>>>({})
  /** Being stored now. */
  const sent = useRef(new Map<string, CampaignDraft | undefined>())
  /** How often each was changed here. */
  const changes = useRef(new Map<string, number>())
  const version = useTopic('campaign-drafts')
  const timers = useRef<{ after?: ReturnType<typeof setTimeout>; within?: ReturnType<typeof setTimeout> }>({})

  const keep = useCallback(
    async (key: string, draft: CampaignDraft | undefined): Promise<void> => {
      sent.current.set(key, draft)
      const stored = draft && { version: draft.version, content: sentContent(draft.content) }
      const done = await dispatch(keepCampaignDraft({ id: key === '' ? undefined : key, draft: stored }))
      // It may have been changed again meanwhile.
      if (sent.current.get(key) === draft) sent.current.delete(key)
      if (done.ok && unstored.get(key) === draft) unstored.delete(key)
      setKept((all) => ({ ...all, [key]: done.ok ? { at: done.value.at } : { error: done.error } }))
    },
    [dispatch, unstored],
  )
  const flush = useCallback((): void => {
    clearTimeout(timers.current.after)
    clearTimeout(timers.current.within)
    timers.current = {}
    for (const [key, draft] of unstored) {
      const isSent = sent.current.has(key) && sent.current.get(key) === draft
      if (!isSent) void keep(key, draft)
    }
  }, [keep, unstored])
  // What an earlier visit of the page could not store.
  useEffect(flush, [flush])

  const asked = useRef(0)
  useEffect(() => {
    const load = async (of: number): Promise<void> => {
      asked.current = of
      const before = new Map(changes.current)
      const loaded = await dispatch(loadCampaignDrafts())
      if (!loaded.ok || asked.current !== of) return
      // What is being typed here is newer than anything stored, also by another window.
      const isNewer = (key: string): boolean => unstored.has(key) || changes.current.get(key) !== before.get(key)
      const found = Object.entries(loaded.value).filter(([key]) => !isNewer(key))
      const read = found.map(([key, { content, version: based }]) => [key, { content, version: based }] as const)
      const own = <Value>(all: Readonly<Record<string, Value>>) => Object.entries(all).filter(([key]) => isNewer(key))
      setDrafts((here) => Object.fromEntries([...own(here), ...read]))
      setKept((here) => ({ ...here, ...Object.fromEntries(found.map(([key, { at }]) => [key, { at }])) }))
    }
    void load(version)
  }, [dispatch, unstored, version])

  useSaveOnLeave(flush)

  const change = (key: string, draft: CampaignDraft | undefined): void => {
    setDrafts(({ [key]: _before, ...rest }) => (draft === undefined ? rest : { ...rest, [key]: draft }))
    unstored.set(key, draft)
    changes.current.set(key, (changes.current.get(key) ?? 0) + 1)
    if (draft === undefined) return flush()
    clearTimeout(timers.current.after)
    timers.current.after = setTimeout(flush, SAVE_AFTER_MS)
    timers.current.within ??= setTimeout(flush, SAVE_WITHIN_MS)
  }
  return { drafts, kept, change, retry: flush }
}

const written = (drafts: ReadonlyMap<string, CampaignDraft | undefined>): CampaignDrafts =>
  Object.fromEntries([...drafts].flatMap(([key, draft]) => (draft === undefined ? [] : [[key, draft]])))

/** A campaign while it is being changed. `version`: the stored one that the change is based on; absent: it is new. */
export type CampaignDraft = { readonly content: CampaignContent; readonly version?: string }

export const newContent = (senderId: string): CampaignContent => ({
  name: '',
  description: '',
  senderId,
  text: '',
  attachments: [],
  fields: {},
  segmentIds: [],
  userIds: [],
  createChannels: true,
  showChannels: true,
  skipPush: false,
  skipWebhook: false,
})

/** A copy under another name: what was sent stays with the original. */
export const copyOf = (content: CampaignContent, name: string): CampaignContent => ({
  ...content,
  name: cutText(name, CAMPAIGN_NAME_LENGTH),
})

/** For the people whom a campaign did not reach, and nobody else. */
export const forOnly = (content: CampaignContent, userIds: readonly string[], name: string): CampaignContent => ({
  ...copyOf(content, name),
  segmentIds: [],
  userIds,
})

type CampaignProblem = 'name' | 'sender' | 'message'

/** Why it cannot be saved yet; `undefined`: it can. */
export function problemOf({ name, senderId, text, attachments, pollId }: CampaignContent): CampaignProblem | undefined {
  if (isBlank(name)) return 'name'
  if (senderId === '') return 'sender'
  return isBlank(text) && attachments.length === 0 && pollId === undefined ? 'message' : undefined
}

/** What a border leaves out counts as absent. */
export const isSameContent = (a: CampaignContent, b: CampaignContent): boolean => isSame(a, b)

/** As a call takes it. */
export const sentContent = (
  content: CampaignContent,
): Parameters<EngineClient['campaigns']['create']>[0]['content'] => ({
  ...content,
  name: content.name.trim(),
  senderId: asUserId(content.senderId),
  attachments: [...content.attachments],
  segmentIds: [...content.segmentIds],
  userIds: content.userIds.map(asUserId),
  channel: content.channel && { ...content.channel, members: content.channel.members.map(asUserId) },
})
