import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { SAVE_AFTER_MS, SAVE_WITHIN_MS, useSaveOnLeave } from '../../../lib/page/saving.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { keepCampaignDraft, loadCampaignDrafts } from './commands.ts'
import { sentContent, type CampaignDraft } from './drafts.ts'

export type CampaignDrafts = Readonly<Record<string, CampaignDraft>>

/** When a draft was stored on this device, or why it was not. */
export type Kept = { readonly at?: number; readonly error?: ErrorBody }

/**
 * Campaigns that are being written, by their id; `''` is the new one. What is typed is stored on this device after a short
 * pause, when the window loses focus or closes, and when the page is left. So nothing is lost without a connection, or if
 * the window crashes.
 */
export function useCampaignDrafts() {
  const dispatch = useAppDispatch()
  const [drafts, setDrafts] = useState<CampaignDrafts>({})
  const [kept, setKept] = useState<Readonly<Record<string, Kept>>>({})
  /** Changed here and not stored yet; `undefined`: to be deleted. */
  const waiting = useRef(new Map<string, CampaignDraft | undefined>())
  /** Changed here since the page was opened: newer than what is stored. */
  const touched = useRef(new Set<string>())
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

  useEffect(() => {
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadCampaignDrafts())
      if (!loaded.ok) return
      const found = Object.entries(loaded.value).filter(([key]) => !touched.current.has(key))
      const read = found.map(([key, { content, version }]) => [key, { content, version }] as const)
      setDrafts((here) => ({ ...here, ...Object.fromEntries(read) }))
      setKept((here) => ({ ...here, ...Object.fromEntries(found.map(([key, { at }]) => [key, { at }])) }))
    }
    void load()
  }, [dispatch])

  useSaveOnLeave(flush)

  const change = (key: string, draft: CampaignDraft | undefined): void => {
    setDrafts(({ [key]: _before, ...rest }) => (draft === undefined ? rest : { ...rest, [key]: draft }))
    waiting.current.set(key, draft)
    touched.current.add(key)
    if (draft === undefined) return flush()
    clearTimeout(timers.current.after)
    timers.current.after = setTimeout(flush, SAVE_AFTER_MS)
    timers.current.within ??= setTimeout(flush, SAVE_WITHIN_MS)
  }
  return { drafts, kept, change }
}
