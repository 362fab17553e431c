import { useEffect, useRef, useState } from 'react'
import { MAX_POLL_OPTIONS } from '#shared/constants.ts'
import type { PollForm } from '#shared/domain/poll.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { EMPTY_POLL_FORM, isUntouched } from '#shared/rules/polls/poll-form.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { keepPoll } from '../commands.ts'

/** As soon as words in a composer are. */
const KEEP_AFTER_MS = 300

/** What was last written, not on disk yet. */
type Unkept = { readonly form: PollForm; readonly timer: ReturnType<typeof setTimeout> }

/**
 * A poll begun and not sent stays with the draft of its channel: kept while it is written, and when the form or the window
 * goes.
 *
 * @param of which poll of that channel, as `drafts.keepPoll` names it
 */
export function useKeptForm(cid: Cid, of: string, otherwise: PollForm = EMPTY_POLL_FORM) {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const [first] = useState(() => withRoom(store.getState().entities.drafts[cid]?.polls?.[of]) ?? otherwise)
  const unkept = useRef<Unkept>(undefined)
  const flush = useRef(() => {})
  useEffect(() => {
    flush.current = () => {
      if (unkept.current === undefined) return
      const { form, timer } = unkept.current
      clearTimeout(timer)
      unkept.current = undefined
      void dispatch(keepPoll(isUntouched(form) ? { cid, of } : { cid, of, form }))
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
    keep: (form: PollForm): void => {
      clearTimeout(unkept.current?.timer)
      unkept.current = { form, timer: setTimeout(() => flush.current(), KEEP_AFTER_MS) }
    },
    /** The poll was made. */
    forget: (): void => {
      clearTimeout(unkept.current?.timer)
      unkept.current = undefined
      void dispatch(keepPoll({ cid, of }))
    },
  }
}

/** Empty options but the last one were on their way out. */
function withRoom(kept: PollForm | undefined): PollForm | undefined {
  if (kept === undefined) return undefined
  const texts = kept.options.map(({ text }) => text).filter((text) => text !== '')
  return { ...kept, options: [...texts, ''].slice(0, MAX_POLL_OPTIONS).map((text, id) => ({ id, text })) }
}
