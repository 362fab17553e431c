import { useEffect } from 'react'
import type { AssistantWork } from '#shared/domain/channel.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isAtWork } from '#shared/rules/messages/assistants.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useAppDispatch, useUser } from '../../store/hooks.ts'
import { stopAssistant } from './commands.ts'
import { TypingDots } from './TypingDots.tsx'
import styles from './TypingLine.module.css'

type Props = { readonly cid: Cid; readonly parentId?: MessageId | undefined; readonly work: AssistantWork }

/** The state of an assistant, announced politely, with a button to stop it (Escape stops it too). */
export function AssistantLine({ cid, parentId, work }: Props) {
  const t = useTexts('typing')
  const dispatch = useAppDispatch()
  const user = useUser(work.userId)
  const name = cleanName(user?.name ?? work.name ?? t('assistant.name'))
  const state = work.state
  const says = work.words ?? ''
  const plain = t(`assistant.${state}`, { name, says }).replaceAll(/<\/?b>/g, '')
  useEffect(() => announce(plain), [plain])
  return (
    <span className={styles['line']} data-assistant={state}>
      {isAtWork(work) ? <TypingDots /> : null}
      <span className="ellipsis">{richText((values) => t(`assistant.${state}`, values), { name, says })}</span>
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
