import { useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useSession } from '../../store/hooks.ts'
import { useNames } from '../people/index.ts'
import styles from './Inbox.module.css'

/** Number of people listed by name; others are counted. */
const MAX_NAMED = 3

/** Other participants of a thread, newest last: "with Priya, Jonas and 2 others". */
export function Participants({ userIds }: { readonly userIds: readonly string[] }) {
  const t = useTexts('thread')
  const { list } = useFormats()
  const viewerId = useSession().userId
  const others = userIds.filter((id) => id !== viewerId)
  const names = useNames(others.length === 0 ? userIds : others)
  const rest = names.length - MAX_NAMED
  if (names.length === 0) return null
  // Never "and 1 other", which is longer than a name.
  const text =
    rest <= 1
      ? t('with', { names: list(names) })
      : t('withOthers', { names: names.slice(0, MAX_NAMED).join(', '), count: rest })
  return <span className={cx(styles['with'], 'ellipsis')}>{text}</span>
}
