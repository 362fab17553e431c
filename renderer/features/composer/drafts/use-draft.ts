import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { draftFound, draftUnchanged, draftOf, editOf, type ComposerState } from '../../../store/composers/composers.ts'
import { SAVE_AFTER_MS, SAVE_WITHIN_MS, useSaveOnLeave } from '../../../lib/page/saving.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { saveDraft } from '../send/commands.ts'
import type { Place } from '../place.ts'

/**
 * Shows the draft of a place, whichever window wrote, sent or discarded it, and saves what is typed here: 300 ms after
 * the last key, 400 ms after the first unsaved key, on blur, when the channel is left and before the window closes.
 *
 * @returns saves unsaved changes now
 */
export function useDraft(place: Place, composer: ComposerState): () => void {
  const dispatch = useAppDispatch()
  const draft = useAppSelector((state) => state.entities.drafts[place.key])
  const revision = useAppSelector((state) => state.entities.draftRevisions[place.key] ?? 0)
  const isWaiting = composer.saving > 0 || composer.inFlight.length > 0
  const [body, content] = useMemo(() => contentOf(composer), [composer])
  /** Undefined while the engine has other content, or its content is unknown. */
  const saved = useRef(composer.touched ? undefined : content)
  const latest = useRef(content)

  useLayoutEffect(() => {
    if (!isWaiting && revision > composer.revision) dispatch(draftFound({ key: place.key, revision, draft }))
  }, [dispatch, draft, isWaiting, place.key, revision, composer.revision])

  useLayoutEffect(() => {
    latest.current = content
  }, [content])
  const loaded = useRef<string>(undefined)
  useLayoutEffect(() => {
    const state = `${composer.touched} ${composer.revision} ${body}`
    // Content loaded from disk is saved already. A caret that moves later is not, though the composer stays untouched.
    if (!composer.touched && loaded.current !== state) saved.current = latest.current
    loaded.current = state
  }, [body, composer.revision, composer.touched])

  const overdue = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useRef(() => {})
  useLayoutEffect(() => {
    const save = async (): Promise<void> => {
      if (!(await dispatch(saveDraft(place)))) saved.current = undefined
    }
    flush.current = () => {
      clearTimeout(overdue.current)
      overdue.current = undefined
      if (latest.current === saved.current) return
      saved.current = latest.current
      void save()
    }
  }, [dispatch, place])

  useEffect(() => {
    // An edit was started and left, or a word typed and deleted: the content is the same as on disk.
    if (composer.touched && content === saved.current) dispatch(draftUnchanged({ key: place.key }))
  }, [composer.touched, content, dispatch, place.key])

  useEffect(() => {
    if (content === saved.current) return undefined
    overdue.current ??= setTimeout(() => flush.current(), SAVE_WITHIN_MS)
    const timer = setTimeout(() => flush.current(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [content])

  const saveNow = (): void => flush.current()
  useSaveOnLeave(saveNow)
  return saveNow
}

/** The text and files of a composer, and the same with the caret. */
function contentOf(composer: ComposerState): readonly [body: string, content: string] {
  const { caret, selectedTo, ...draft } = draftOf(composer)
  const body = JSON.stringify([draft, editOf(composer)])
  return [body, `${body} ${caret} ${selectedTo ?? ''}`]
}
