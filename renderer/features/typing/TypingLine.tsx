import { useEffect } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { MAX_TYPISTS, isAtWork } from '#shared/rules/channels/typing.ts'
import type { AssistantWork } from '#shared/domain/channel.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts } from '../../i18n/index.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useAppSelector, useAppDispatch, useUser } from '../../store/hooks.ts'
import { announce } from '../../lib/page/announce.ts'
import { command } from '../../store/command.ts'
import type { AppState } from '../../store/store.ts'
import { selectOpenCid, selectOpenThread, selectSession, selectTypists } from '../../store/selectors.ts'
import styles from './TypingLine.module.css'

/**
 * Who is typing in a channel or thread; not announced. The state of an assistant comes first, because the user waits for
 * it.
 */
export function TypingLine({ cid, parentId }: { readonly cid: Cid; readonly parentId?: MessageId }) {
  const t = useTexts('typing')
  const work = useAppSelector((state) => selectAssistant(state, composerKey(cid, parentId)))
  const names = useAppSelector((state) => selectTypistNames(state, composerKey(cid, parentId)))
  if (work !== undefined) return <AssistantLine cid={cid} parentId={parentId} work={work} />
  if (names === '') return null
  const [a = '', b = '', ...more] = names.split('\n')
  const text =
    b === ''
      ? richText((values) => t('one', values), { a })
      : more.length === 0
        ? richText((values) => t('two', values), { a, b })
        : more.length + 2 >= MAX_TYPISTS
          ? t('several')
          : t('many', { count: more.length + 2 })
  return (
    <span className={styles['line']} data-typing={composerKey(cid, parentId)}>
      <TypingDots />
      <span className="ellipsis">{text}</span>
    </span>
  )
}

type Props = { readonly cid: Cid; readonly parentId?: MessageId; readonly work: AssistantWork }

/** The state of an assistant, announced politely, with a button to stop it (Escape stops it too). */
function AssistantLine({ cid, parentId, work }: Props) {
  const t = useTexts('typing')
  const dispatch = useAppDispatch()
  const user = useUser(work.userId)
  const name = cleanName(user?.name ?? work.name ?? t('assistant.name'))
  const state = work.state
  const text = work.text ?? ''
  const plain = t(`assistant.${state}`, { name, says: text }).replaceAll(/<\/?b>/g, '')
  useEffect(() => announce(plain), [plain])
  return (
    <span className={styles['line']} data-assistant={state}>
      {isAtWork(work) ? <TypingDots /> : null}
      <span className="ellipsis">{richText((values) => t(`assistant.${state}`, values), { name, says: text })}</span>
      {isAtWork(work) ? (
        <button
          type="button"
          className={styles['stop']}
          title={t('assistant.stopKey')}
          onClick={() => void dispatch(stopAssistant({ cid, parentId }))}
        >
          {t('assistant.stop')}
        </button>
      ) : null}
    </span>
  )
}

/** Three animated dots. Decorative. */
export function TypingDots() {
  return (
    <span className={styles['dots']} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  )
}

/** Not quiet: a failure raises a notice, because the assistant is still running. */
export const stopAssistant = command(
  'typing/assistantStopped',
  ({ cid, parentId }: { cid: Cid; parentId?: MessageId }, engine) => engine.channels.stopAssistant({ cid, parentId }),
)

const selectAssistant = (state: AppState, key: string): AssistantWork | undefined =>
  state.entities.typing[key]?.assistant

/** The place on screen where a working assistant can be stopped: the open thread, else the channel. */
export function selectBusyPlace(state: AppState): { readonly cid: Cid; readonly parentId?: MessageId } | undefined {
  const thread = selectOpenThread(state)
  if (thread !== undefined && isAtWork(selectAssistant(state, composerKey(thread.cid, thread.parentId))))
    return { cid: thread.cid, parentId: thread.parentId }
  const cid = selectOpenCid(state)
  return cid !== undefined && isAtWork(selectAssistant(state, cid)) ? { cid } : undefined
}

/** Names of the other users typing here, as one string, so that it can be compared by value. */
function selectTypistNames(state: AppState, key: string): string {
  const me = selectSession(state).userId
  const names = selectTypists(state, key)
    .filter(({ id }) => id !== me)
    .map(({ id, name }) => cleanName(state.entities.users[id]?.name ?? name))
  return names.map((name) => shortName(name, names)).join('\n')
}

/** The first name, unless another typist has the same. */
function shortName(name: string, all: readonly string[]): string {
  const first = name.split(' ')[0] ?? name
  return all.some((other) => other !== name && other.startsWith(`${first} `)) ? name : first
}
