import { useEffect, useRef, useState } from 'react'
import { MAX_POLL_OPTIONS } from '#shared/constants.ts'
import type { PollForm } from '#shared/domain/poll.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { EMPTY_POLL_FORM, isUntouched } from '#shared/rules/polls/poll-form.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { savePoll } from '../commands.ts'

/** The same delay as for drafts in the composer. */
const SAVE_DELAY_MS = 300

/** The latest form, not saved on disk yet. */
type UnsavedForm = { readonly form: PollForm; readonly timer: ReturnType<typeof setTimeout> }

/**
 * An unfinished poll, stored with the draft of its channel: saved while it is edited, and when the form or the window
 * closes.
 *
 * @param of the poll's key in that channel, as in `drafts.savePoll`
 */
export function useSavedForm(cid: Cid, of: string, otherwise: PollForm = EMPTY_POLL_FORM) {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const [first] = useState(() => withRoom(store.getState().entities.drafts[cid]?.polls?.[of]) ?? otherwise)
  const unsaved = useRef<UnsavedForm>(undefined)
  const flush = useRef(() => {})
  useEffect(() => {
    flush.current = () => {
      if (unsaved.current === undefined) return
      const { form, timer } = unsaved.current
      clearTimeout(timer)
      unsaved.current = undefined
      void dispatch(savePoll(isUntouched(form) ? { cid, of } : { cid, of, form }))
    }
  }, [dispatch, cid, of])
  useEffect(() => {
    const now = (): void => flush.current()
    window.addEventListener('pagehide', now)
    window.addEventListener('blur', now)
    return () => {
      now()
      window.removeEventListener('pagehide', now)
      window.removeEventListener('blur', now)
    }
  }, [])
  return {
    first,
    save: (form: PollForm): void => {
      clearTimeout(unsaved.current?.timer)
      unsaved.current = { form, timer: setTimeout(() => flush.current(), SAVE_DELAY_MS) }
    },
    /** The poll was created. */
    forget: (): void => {
      clearTimeout(unsaved.current?.timer)
      unsaved.current = undefined
      void dispatch(savePoll({ cid, of }))
    },
  }
}

/** Drops empty options except the last. */
function withRoom(saved: PollForm | undefined): PollForm | undefined {
  if (saved === undefined) return undefined
  const texts = saved.options.map(({ text }) => text).filter((text) => text !== '')
  return { ...saved, options: [...texts, ''].slice(0, MAX_POLL_OPTIONS).map((text, id) => ({ id, text })) }
}
