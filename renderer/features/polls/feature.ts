import type { PollDefinition } from '#shared/domain/poll.ts'
import { maySendPoll } from '#shared/rules/channels/capabilities.ts'
import type { Cid, MessageId, PollId } from '#shared/lib/brand.ts'
import type polls from '../../../resources/locales/en/polls.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectCanParticipate, selectOpenCid } from '../../store/selectors.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { PollCard } from './index.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** A poll for this channel. `from`: an unsent one that was withdrawn. */
    poll: { readonly cid: Cid; readonly from?: { readonly id: string; readonly poll: PollDefinition } }
    'poll-register': NoProps
    /** A dialog about the poll of a message. In the store, because the message's row unmounts when it is scrolled away. */
    'of-poll': {
      readonly what: 'results' | 'answers' | 'suggest' | 'delete' | 'close' | 'edit' | 'remind' | 'changes'
      readonly cid: Cid
      readonly messageId: MessageId
      readonly pollId: PollId
    }
  }
  interface Actions {
    newPoll: void
    pollRegister: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    polls: typeof polls
  }
}

function newPollHere({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  const channel = cid === undefined ? undefined : getState().entities.channels[cid]
  if (channel !== undefined && maySendPoll(channel)) dispatch(dialogOpened({ kind: 'poll', cid: channel.cid }))
}

export const pollsFeature = defineFeature({
  localeAreas: ['polls'],
  dialogs: {
    poll: part(async () => (await import('./form/PollDialog.tsx')).PollDialog),
    'poll-register': part(async () => (await import('./PollRegister.tsx')).PollRegister),
    'of-poll': part(async () => (await import('./PollQuestions.tsx')).PollQuestions),
  },
  actions: {
    newPoll: {
      chords: [],
      group: 'composer',
      order: 490,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      run: newPollHere,
    },
    pollRegister: {
      chords: [],
      group: 'navigation',
      order: 200,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'poll-register' })),
    },
  },
  warm() {
    PollCard.warm()
  },
  ready: ({ entities }) =>
    Object.values(entities.messages).some(({ pollId }) => pollId !== undefined) ? PollCard.ready() : undefined,
})
