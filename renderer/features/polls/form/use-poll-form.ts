import { useState, useEffect, useRef } from 'react'
import { NEW_POLL } from '#shared/domain/draft.ts'
import type { PollDefinition, PollForm } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import {
  EMPTY_POLL_FORM,
  formOf,
  isUntouched,
  pollOf,
  problemsOf,
  withOptionMoved,
  withOptionText,
  withoutOption,
  withPastedOptions,
  withUniqueVote,
  writtenCount,
  type PollProblems,
} from '#shared/rules/polls/poll-form.ts'
import { MAX_POLL_OPTIONS } from '#shared/constants.ts'
import { SAVE_AFTER_MS, useSaveOnLeave } from '../../../lib/page/saving.ts'
import { fieldsOf, momentOf, type Fields } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useConnection, useAppStore } from '../../../store/hooks.ts'
import { JUST_SENT } from '../../../store/command.ts'
import { createPoll, savePoll } from '../commands.ts'

type Seen = {
  readonly all: boolean
  readonly name: boolean
  readonly maxVotes: boolean
  readonly options: ReadonlySet<number>
}

const UNSEEN: Seen = { all: false, name: false, maxVotes: false, options: new Set() }

/** State and actions of the dialog. The form is saved after every change. */
export type PollFormModel = {
  readonly form: PollForm
  readonly problems: PollProblems
  readonly written: number
  /** Number of pasted options beyond the limit. */
  readonly leftOut: number
  /** When it closes automatically, and the validation error. */
  readonly closesAt: number | undefined
  readonly closing: 'none' | 'past' | undefined
  /** Continues an unfinished poll. */
  readonly resumed: boolean
  readonly working: boolean
  readonly offline: boolean
  readonly failure: ErrorBody | undefined
  readonly change: (part: Partial<Omit<PollForm, 'options' | 'enforceUniqueVote' | 'closes'>>) => void
  readonly leave: (field: 'name' | 'maxVotes' | number) => void
  readonly write: (id: number, text: string) => void
  readonly remove: (id: number) => void
  readonly move: (id: number, to: number) => void
  /** False if the text is not a list and is pasted normally. */
  readonly paste: (id: number, text: string) => boolean
  readonly setUnique: (on: boolean) => void
  /** Undefined: open until closed by hand. */
  readonly setCloses: (fields: Fields | undefined) => void
  readonly clear: () => void
  readonly submit: () => Promise<boolean>
}

/** An unsent poll that was withdrawn for editing. */
export type TakenPoll = { readonly id: string; readonly poll: PollDefinition }

function takenForm(poll: PollDefinition): PollForm {
  return { ...formOf(poll), ...(poll.closesAt === undefined ? {} : { closes: fieldsOf(poll.closesAt) }) }
}

export function usePollForm(cid: Cid, from: TakenPoll | undefined): PollFormModel {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  // Edits of a poll that was withdrawn are stored separately from a new unfinished poll.
  const savedForm = useSavedForm(cid, from?.id ?? NEW_POLL, from && takenForm(from.poll))
  const [form, setForm] = useState<PollForm>(savedForm.first)
  const [seen, setSeen] = useState(UNSEEN)
  const [resumed, setResumed] = useState(() => from === undefined && !isUntouched(form))
  const [leftOut, setLeftOut] = useState(0)
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState<ErrorBody>()
  const now = useMinute()
  const { closes } = form
  const closesAt = closes && momentOf(closes.date, closes.time)
  const closing =
    closes === undefined ? undefined : closesAt === undefined ? 'none' : closesAt <= now ? 'past' : undefined
  const update = (next: PollForm): void => {
    setForm(next)
    setLeftOut(0)
    setFailure(undefined)
    savedForm.save(next)
  }
  return {
    form,
    problems: problemsOf(form, seen),
    written: writtenCount(form),
    leftOut,
    closesAt,
    closing,
    resumed,
    working,
    offline,
    failure,
    change: (part) => update({ ...form, ...part }),
    leave: (field) => {
      if (typeof field === 'string') setSeen({ ...seen, [field]: true })
      else setSeen({ ...seen, options: new Set([...seen.options, field]) })
    },
    write: (id, text) => update(withOptionText(form, id, text)),
    remove: (id) => update(withoutOption(form, id)),
    move: (id, to) => update(withOptionMoved(form, id, to)),
    paste: (id, text) => {
      if (!/\S\s*[\r\n]+\s*\S/.test(text)) return false
      const pasted = withPastedOptions(form, id, text)
      update(pasted.form)
      setLeftOut(pasted.leftOut)
      return true
    },
    setCloses: (fields) => {
      const { closes: _before, ...rest } = form
      update(fields === undefined ? rest : { ...rest, closes: fields })
    },
    setUnique: (on) => update(withUniqueVote(form, on)),
    clear: () => {
      update(EMPTY_POLL_FORM)
      setSeen(UNSEEN)
      setResumed(false)
    },
    submit: async () => {
      setSeen({ ...seen, all: true })
      const poll = pollOf(form, closesAt)
      if (poll === undefined || closing !== undefined || working) return false
      setWorking(true)
      const replaces = from === undefined ? {} : { replaces: from.id }
      const again = failure?.code === JUST_SENT ? { again: true } : {}
      const made = await dispatch(createPoll({ cid, ...poll, options: [...poll.options], ...replaces, ...again }))
      setWorking(false)
      if (made.ok) savedForm.forget()
      else setFailure(made.error)
      return made.ok
    },
  }
}

/** The latest form, not saved on disk yet. */
type UnsavedForm = { readonly form: PollForm; readonly timer: ReturnType<typeof setTimeout> }

/**
 * An unfinished poll, stored with the draft of its channel: saved while it is edited, and when the form or the window
 * closes.
 *
 * @param of the poll's key in that channel, as in `drafts.savePoll`
 */
function useSavedForm(cid: Cid, of: string, otherwise: PollForm = EMPTY_POLL_FORM) {
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
  useSaveOnLeave(() => flush.current())
  return {
    first,
    save: (form: PollForm): void => {
      clearTimeout(unsaved.current?.timer)
      unsaved.current = { form, timer: setTimeout(() => flush.current(), SAVE_AFTER_MS) }
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
