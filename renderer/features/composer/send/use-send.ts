import { useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { JUST_SENT } from '../../../store/command.ts'
import { selectMessage } from '../../../store/selectors.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { callToAsk, calledIn, type Call } from './calling.ts'
import { saveEdit, sendComposition, warnOfCommand, warnOfUploads, type Named } from './commands.ts'
import type { Decision } from './decision.ts'
import { mentionedIn, type Person } from '../suggestions/mentions.ts'
import { rememberSend } from './learned.ts'
import type { Place } from '../place.ts'

export type SendHow = {
  /** "Send when ready" and "Send when allowed". */
  readonly whenReady?: boolean
  /** No one is notified. */
  readonly silent?: boolean
  /** "Send later": epoch milliseconds. */
  readonly sendAt?: number
  /** Words too long for one message go as several. */
  readonly split?: boolean
  /** Although another window has just sent the same. */
  readonly again?: boolean
}

/** The question that stands before a message: whom it calls, or whether it is to go a second time. */
export type Asking = { readonly about: Call | 'again'; readonly onSend: () => void; readonly onClose: () => void }

type Input = {
  readonly place: Place
  readonly channel: Channel
  readonly decision: Decision
  readonly composer: ComposerState
  readonly people: readonly Person[]
}

/**
 * Sends or saves what stands in the composer, if the decision allows; otherwise the status line already says why. Where
 * that calls many people it is asked first.
 */
export function useSend(
  { place, channel, decision, composer, people }: Input,
  onSent: () => void,
): { readonly send: (how?: SendHow) => void; readonly asking: Asking | undefined } {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const users = useAppSelector((state) => state.entities.users)
  const editedId = composer.editing?.messageId
  const edited = useAppSelector((state) => (editedId === undefined ? undefined : selectMessage(state, editedId)))
  const [asked, setAsked] = useState<{ readonly about: Asking['about']; readonly how: SendHow }>()

  const named = (): Named => {
    const before = (edited?.mentionedUserIds ?? []).map((id) => ({ id, name: users[id]?.name ?? '', inChannel: true }))
    return {
      mentionedUserIds: mentionedIn(composer.text, [...people, ...before]),
      reach: calledIn(composer.text, channel, edited?.reach),
    }
  }
  /** Whom it did not call before. */
  const question = ({ reach }: Named): Call | undefined => {
    const others = people.flatMap(({ id, inChannel }) => (inChannel ? (users[id] ?? []) : []))
    const added = reach.filter((each) => edited?.reach?.includes(each) !== true)
    return callToAsk(added, channel, others, Date.now())
  }

  const go = async (how: SendHow): Promise<void> => {
    if (decision.kind === 'save') {
      void dispatch(saveEdit(place, named()))
      return
    }
    rememberSend()
    onSent()
    const sent = await dispatch(sendComposition(place, named(), how))
    if (!sent.ok && sent.error.code === JUST_SENT) setAsked({ about: 'again', how: { ...how, again: true } })
  }

  const send = (how: SendHow = {}): void => {
    const whenReady = how.whenReady === true || how.sendAt !== undefined || how.split === true
    switch (decision.kind) {
      case 'uploading':
        // Files that have not arrived by then are waited for; one that failed has to be seen to first.
        if (!whenReady || decision.stuck) {
          dispatch(warnOfUploads())
          return
        }
        break
      case 'slow':
        if (!whenReady) return
        break
      case 'save':
      case 'ready':
      case 'outbox':
        break
      case 'command':
        dispatch(warnOfCommand(decision.why))
        return
      case 'tooLong':
        if (how.split !== true || composer.editing !== undefined) return
        break
      case 'stopped':
        announce(t('stopped'), { assertive: true })
        return
      case 'empty':
      case 'editEmpty':
      case 'editGone':
      case 'uploadFailed':
        return
    }
    const call = question(named())
    const then = { ...how, whenReady: whenReady || decision.kind === 'outbox' }
    if (call === undefined) void go(then)
    else setAsked({ about: call, how: then })
  }

  const asking: Asking | undefined = asked && {
    about: asked.about,
    onSend: () => void go(asked.how),
    onClose: () => setAsked(undefined),
  }
  return { send, asking }
}
