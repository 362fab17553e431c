import { useState, type ReactNode } from 'react'
import type { ListedBlockList, ListedRule, RuleCondition } from '#shared/domain/manage/rules.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppStore } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { draftOf, type RuleDraft } from './drafts.ts'
import styles from './Rules.module.css'

type Props = {
  readonly text: string
  readonly onTheirs: () => void
  readonly onMine: () => void
  /** The differences, shown on demand. */
  readonly children: ReactNode
}

/** Someone else has changed what is being changed here: whose version goes on is to be chosen. */
export function Elsewhere({ text, onTheirs, onMine, children }: Props) {
  const t = useTexts('rules')
  const [shows, setShows] = useState(false)
  return (
    <Bar text={text}>
      <Button size="small" aria-expanded={shows} onClick={() => setShows(!shows)}>
        {t(shows ? 'elsewhere.hide' : 'elsewhere.show')}
      </Button>
      <Button size="small" onClick={onTheirs}>
        {t('elsewhere.theirs')}
      </Button>
      <Button size="small" onClick={onMine}>
        {t('elsewhere.mine')}
      </Button>
      {shows ? children : null}
    </Bar>
  )
}

/** Someone else has deleted it. */
export function GoneElsewhere({ text, onAsNew }: { readonly text: string; readonly onAsNew: () => void }) {
  const t = useTexts('rules')
  return (
    <Bar text={text}>
      <Button size="small" onClick={onAsNew}>
        {t('elsewhere.asNew')}
      </Button>
    </Bar>
  )
}

function Bar({ text, children }: Pick<Props, 'text' | 'children'>) {
  return (
    <div role="status" className={styles['elsewhere']}>
      <Icon name="info" size={16} />
      <span>{text}</span>
      {children}
    </div>
  )
}

type Row = { readonly what: string; readonly theirs: string; readonly mine: string }

/** Where the rule as someone else saved it differs from what is being changed here. */
export function RuleDifferences({ stored, draft }: { readonly stored: ListedRule; readonly draft: RuleDraft }) {
  const t = useTexts('rules')
  const conditionsText = useConditionsText()
  const partsOf = ({ name, enabled, conditions, action, text }: RuleDraft) => ({
    name,
    enabled: t(`differences.${enabled ? 'on' : 'off'}`),
    when: conditionsText(conditions),
    action: t(`actions.${action}.short`),
    text: text ?? '',
  })
  const [theirs, mine] = [partsOf(draftOf(stored)), partsOf(draft)]
  const names = {
    name: t('name'),
    enabled: t('differences.enabled'),
    when: t('when'),
    action: t('then'),
    text: t('text'),
  }
  const rows = (['name', 'enabled', 'when', 'action', 'text'] as const).flatMap((part): Row[] =>
    theirs[part] === mine[part] ? [] : [{ what: names[part], theirs: theirs[part], mine: mine[part] }],
  )
  return <Differences rows={rows} />
}

/** More entries would only be scrolled past. */
const SHOWN = 50

/** Entries that only one of the two versions of a block list has. */
export function ListDifferences({
  stored,
  words,
}: {
  readonly stored: ListedBlockList
  readonly words: readonly string[]
}) {
  const t = useTexts('rules')
  const [theirs, mine] = [new Set(stored.words), new Set(words)]
  const listed = (entries: readonly string[]): string => {
    const text = entries.slice(0, SHOWN).join(', ')
    return entries.length <= SHOWN ? text : t('differences.more', { entries: text, count: entries.length - SHOWN })
  }
  const onlyTheirs = stored.words.filter((word) => !mine.has(word))
  const onlyMine = words.filter((word) => !theirs.has(word))
  const isSame = onlyTheirs.length === 0 && onlyMine.length === 0
  const row = { what: t('differences.entries'), theirs: listed(onlyTheirs), mine: listed(onlyMine) }
  return <Differences rows={isSame ? [] : [row]} />
}

function Differences({ rows }: { readonly rows: readonly Row[] }) {
  const t = useTexts('rules')
  if (rows.length === 0) return <p className={styles['hint']}>{t('differences.none')}</p>
  const cell = (text: string) => (text === '' ? t('differences.nothing') : <bdi>{text}</bdi>)
  return (
    <table className={styles['differences']} aria-label={t('differences.title')}>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">{t('differences.title')}</span>
          </th>
          <th scope="col">{t('differences.theirs')}</th>
          <th scope="col">{t('differences.mine')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, theirs, mine }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{cell(theirs)}</td>
            <td>{cell(mine)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function useConditionsText(): (conditions: readonly RuleCondition[]) => string {
  const t = useTexts('rules')
  const store = useAppStore()
  const textOf = (condition: RuleCondition): string => {
    switch (condition.kind) {
      case 'list':
        return `${t('kinds.list')} ${condition.list}`
      case 'words':
        return `${t('kinds.words')} ${condition.words.join(', ')}`
      case 'has':
        return t(`kinds.${condition.what}`)
      case 'joined':
        return t('differences.joined', { count: condition.days })
      case 'role':
        return t('differences.role', {
          role: t(`roles.${condition.role}` as never, { defaultValue: condition.role }),
        })
      case 'channel':
        return `${t('kinds.channel')} #${channelTitle(store.getState(), condition.cid)}`
    }
  }
  return (conditions) => conditions.map(textOf).join('; ')
}
