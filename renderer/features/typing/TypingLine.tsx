import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { TYPISTS_KEPT } from '#shared/rules/channels/typing.ts'
import { useTexts } from '../../i18n/index.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useAppSelector } from '../../store/hooks.ts'
import { AssistantLine } from './AssistantLine.tsx'
import { selectAssistant, selectTypistNames } from './selectors.ts'
import { TypingDots } from './TypingDots.tsx'
import styles from './TypingLine.module.css'

/**
 * Who is typing in a channel or thread; not announced. The state of an assistant comes first, because the user waits for
 * it.
 */
export function TypingLine({ cid, parentId }: { readonly cid: Cid; readonly parentId?: MessageId | undefined }) {
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
        : more.length + 2 >= TYPISTS_KEPT
          ? t('several')
          : t('many', { count: more.length + 2 })
  return (
    <span className={styles['line']} data-typing={composerKey(cid, parentId)}>
      <TypingDots />
      <span className="ellipsis">{text}</span>
    </span>
  )
}
