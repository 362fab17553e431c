import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { SAVE_AFTER_MS, SAVE_WITHIN_MS, useSaveOnLeave } from '../../../lib/page/saving.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { keepCampaignDraft, loadCampaignDrafts } from './commands.ts'
import { useTopic } from '../state.ts'
import { sentContent, type CampaignDraft } from './drafts.ts'

export type CampaignDrafts = Readonly<Record<string, CampaignDraft>>

/** When a draft was stored on this device, or why it was not. */
export type Kept = { readonly at?: number; readonly error?: ErrorBody }

/**
 * Campaigns that are being written, by their id; `''` is the new one. What is typed is stored on this device after a short
 * pause, when the window loses focus or closes, and when the page is left. So nothing is lost without a connection, or if
 * the window crashes. What another window stores is taken over.
 */
export function useCampaignDrafts() {
  const dispatch = useAppDispatch()
  const [drafts, setDrafts] = useState<CampaignDrafts>({})
  const [kept, setKept] = useState<Readonly<Record<string, Kept>>>({})
  /** Changed here and not stored yet; `undefined`: to be deleted. */
  const waiting = useRef(new Map<string, CampaignDraft | undefined>())
  /** How often each was changed here. */
  const changes = useRef(new Map<string, number>())
  const version = useTopic('campaign-drafts')
  const timers = useRef<{ after?: ReturnType<typeof setTimeout>; within?: ReturnType<typeof setTimeout> }>({})

  const keep = useCallback(
    async (key: string, draft: CampaignDraft | undefined): Promise<void> => {
      const written = draft && { version: draft.version, content: sentContent(draft.content) }
      const done = await dispatch(keepCampaignDraft({ id: key === '' ? undefined : key, draft: written }))
      setKept((all) => ({ ...all, [key]: done.ok ? { at: done.value.at } : { error: done.error } }))
    },
    [dispatch],
  )
  const flush = useCallback((): void => {
    clearTimeout(timers.current.after)
    clearTimeout(timers.current.within)
    timers.current = {}
    for (const [key, draft] of waiting.current) void keep(key, draft)
    waiting.current.clear()
  }, [keep])

  const asked = useRef(0)
  useEffect(() => {
    const load = async (of: number): Promise<void> => {
      asked.current = of
      const before = new Map(changes.current)
      const loaded = await dispatch(loadCampaignDrafts())
      if (!loaded.ok || asked.current !== of) return
      // What is being typed here is newer than anything stored, also by another window.
      const isNewer = (key: string): boolean => waiting.current.has(key) || changes.current.get(key) !== before.get(key)
      const found = Object.entries(loaded.value).filter(([key]) => !isNewer(key))
      const read = found.map(([key, { content, version: based }]) => [key, { content, version: based }] as const)
      const own = <Value>(all: Readonly<Record<string, Value>>) => Object.entries(all).filter(([key]) => isNewer(key))
      setDrafts((here) => Object.fromEntries([...own(here), ...read]))
      setKept((here) => ({ ...here, ...Object.fromEntries(found.map(([key, { at }]) => [key, { at }])) }))
    }
    void load(version)
  }, [dispatch, version])

  useSaveOnLeave(flush)

  const change = (key: string, draft: CampaignDraft | undefined): void => {
    setDrafts(({ [key]: _before, ...rest }) => (draft === undefined ? rest : { ...rest, [key]: draft }))
    waiting.current.set(key, draft)
    changes.current.set(key, (changes.current.get(key) ?? 0) + 1)
    if (draft === undefined) return flush()
    clearTimeout(timers.current.after)
    timers.current.after = setTimeout(flush, SAVE_AFTER_MS)
    timers.current.within ??= setTimeout(flush, SAVE_WITHIN_MS)
  }
  return { drafts, kept, change }
}
