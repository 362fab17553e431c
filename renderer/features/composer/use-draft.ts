import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { draftFound, draftOf, editOf, type ComposerState } from '../../store/composers.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { saveDraft } from './commands.ts'
import type { Place } from './place.ts'

/** Source: product paper 4.4 "Save". */
const SAVE_AFTER_MS = 300
/** Who types without a pause loses no more than this when the computer dies. Source: reliability promise R24. */
const SAVE_WITHIN_MS = 400

/**
 * Restores the draft of a place and keeps it on disk: 300 ms after the last key and 400 ms after the first that is not
 * saved, on blur, when the channel is left and before the window goes.
 *
 * @returns saves now what is not saved yet
 */
export function useDraft(place: Place, composer: ComposerState): () => void {
  const dispatch = useAppDispatch()
  const draft = useAppSelector((state) => state.entities.drafts[place.key])
  const content = useMemo(() => JSON.stringify([draftOf(composer), editOf(composer)]), [composer])
  const saved = useRef(content)
  const latest = useRef(content)

  useLayoutEffect(() => {
    if (draft !== undefined) dispatch(draftFound({ key: place.key, draft }))
  }, [dispatch, draft, place.key])

  useLayoutEffect(() => {
    latest.current = content
    // What only came from disk is saved already.
    if (!composer.touched) saved.current = content
  }, [content, composer.touched])

  const overdue = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useRef(() => {})
  useLayoutEffect(() => {
    flush.current = () => {
      clearTimeout(overdue.current)
      overdue.current = undefined
      if (latest.current === saved.current) return
      saved.current = latest.current
      void dispatch(saveDraft(place))
    }
  }, [dispatch, place])

  useEffect(() => {
    if (content === saved.current) return undefined
    overdue.current ??= setTimeout(() => flush.current(), SAVE_WITHIN_MS)
    const timer = setTimeout(() => flush.current(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [content])

  useEffect(() => {
    const now = () => flush.current()
    window.addEventListener('pagehide', now)
    window.addEventListener('beforeunload', now)
    window.addEventListener('blur', now)
    return () => {
      now()
      window.removeEventListener('pagehide', now)
      window.removeEventListener('beforeunload', now)
      window.removeEventListener('blur', now)
    }
  }, [])

  return () => flush.current()
}
