import type { ReactionGroup } from '#shared/domain/reaction.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { Portrait, useNames } from '../people/index.ts'
import { glyphOf } from './glyphs.ts'
import { ReactionGlyph } from './ReactionGlyph.tsx'
import { useInAll, useWhoText } from './who.ts'
import styles from './Reactions.module.css'

/** Who reacted with what and when, in the order of the first reaction. */
export function ReactionGroups({ groups }: { readonly groups: readonly ReactionGroup[] }) {
  const t = useTexts('messages')
  return (
    <ul className={styles['groups']} aria-label={t('reactions.label')}>
      {groups.map((group) => (
        <Group key={group.type} group={group} />
      ))}
    </ul>
  )
}
function Group({ group }: { readonly group: ReactionGroup }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const names = useNames(group.userIds)
  const { when } = useWhoText(group)
  const inAll = useInAll(group)
  const glyph = glyphOf(group.type)
  const others = group.count - names.length
  return (
    <li>
      <div className={styles['groupHead']}>
        <ReactionGlyph type={group.type} emojiClass={styles['bigEmoji']} textClass={styles['text']} />
        <b>{formats.tally(group.count)}</b>
        {inAll === undefined ? null : <span>{inAll}</span>}
        <span className={styles['groupWhen']}>{when}</span>
      </div>
      <ul className={styles['people']} aria-label={t('reactions.by', { emoji: glyph.text })}>
        {group.userIds.map((id, index) => (
          <li key={id}>
            <Portrait userId={id} size={20} />
            <bdi>{names[index]}</bdi>
          </li>
        ))}
        {others > 0 ? <li className={styles['groupWhen']}>{t('reactions.others', { count: others })}</li> : null}
      </ul>
    </li>
  )
}
