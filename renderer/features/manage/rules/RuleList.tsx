import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useState, type DragEvent, type KeyboardEvent } from 'react'
import type { ListedRule, Rules } from '#shared/domain/manage/rules.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { draftOf, positionAt, ruleOf, saveRule } from './drafts.ts'
import styles from './Rules.module.css'

/** What is open: a rule by its id, or a block list by its name; empty for a new one. */
export type Selected = { readonly kind: 'rule' | 'list'; readonly key: string }

type Props = {
  readonly rules: Rules
  readonly selected: Selected | undefined
  /** Keys of rules with changes that are not saved. */
  readonly changed: ReadonlySet<string>
  /** Names of block lists with such changes. */
  readonly changedLists: ReadonlySet<string>
  readonly onSelect: (selected: Selected) => void
  readonly onSaved: (rule: ListedRule, before: ListedRule) => void
}

/** The rules in their order, and the block lists. */
export function RuleList({ rules, selected, changed, changedLists, onSelect, onSaved }: Props) {
  const t = useTexts('rules')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const dispatch = useAppDispatch()
  const [error, setError] = useState<ErrorBody>()
  const [dragged, setDragged] = useState<string>()
  const ids = rules.rules.map(({ id }) => id)
  const roving = useRoving({ ids, initialId: selected?.kind === 'rule' ? selected.key : undefined })
  const { ref, ...listeners } = roving.containerProps
  const write = async (rule: ListedRule, change: { enabled?: boolean; position?: number }): Promise<boolean> => {
    if (offline) return false
    setError(undefined)
    const { version, ...draft } = draftOf(rule)
    const saved = await dispatch(saveRule({ rule: { ...ruleOf(draft), ...change }, version }))
    if (saved.ok) onSaved(saved.value, rule)
    else setError(saved.error)
    return saved.ok
  }
  const move = async (rule: ListedRule, to: number): Promise<void> => {
    const position = positionAt(rules.rules, rule.id, to)
    if (position === undefined || !(await write(rule, { position }))) return
    announce(t('moved', { place: to + 1, count: ids.length }))
    roving.focus(rule.id)
  }
  return (
    <>
      {error === undefined ? null : (
        <p role="alert" className={styles['stale']}>
          {errorText(error)}
        </p>
      )}
      <ul
        className={styles['rules']}
        aria-label={t('title')}
        ref={(element) => {
          ref.current = element
        }}
        {...listeners}
      >
        {rules.rules.map((rule, index) => (
          <Row
            key={rule.id}
            rule={rule}
            place={index + 1}
            full={rules.support.full}
            isOpen={selected?.kind === 'rule' && selected.key === rule.id}
            isChanged={changed.has(rule.id)}
            offline={offline}
            item={roving.itemProps(rule.id)}
            onOpen={() => onSelect({ kind: 'rule', key: rule.id })}
            onSwitch={(enabled) => void write(rule, { enabled })}
            onMove={(by) => void move(rule, index + by)}
            onDrag={() => setDragged(rule.id)}
            onDrop={() => {
              const moved = rules.rules.find(({ id }) => id === dragged)
              setDragged(undefined)
              if (moved) void move(moved, index)
            }}
          />
        ))}
        {changed.has('') ? (
          <li className={styles['row']}>
            <button
              type="button"
              className={cx(styles['open'], selected?.key === '' && selected.kind === 'rule' && styles['on'])}
              onClick={() => onSelect({ kind: 'rule', key: '' })}
            >
              <span className={styles['name']}>{t('newRule')}</span>
              <span className={styles['what']}>{t('unsaved')}</span>
            </button>
          </li>
        ) : null}
      </ul>
      <Lists rules={rules} selected={selected} changedLists={changedLists} onSelect={onSelect} />
    </>
  )
}

type RowProps = {
  readonly rule: ListedRule
  readonly place: number
  readonly full: boolean
  readonly isOpen: boolean
  readonly isChanged: boolean
  readonly offline: boolean
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onOpen: () => void
  readonly onSwitch: (enabled: boolean) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onDrag: () => void
  readonly onDrop: () => void
}

function Row({ rule, place, full, isOpen, isChanged, offline, item, ...on }: RowProps) {
  const t = useTexts('rules')
  const nameId = `rule-name-${rule.id}`
  const pressed = (event: KeyboardEvent): void => {
    if (!event.ctrlKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !full) return
    event.preventDefault()
    event.stopPropagation()
    on.onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  const accept = (event: DragEvent): void => event.preventDefault()
  return (
    <li
      className={cx(styles['row'], isOpen && styles['on'])}
      draggable={full && !offline}
      onDragStart={on.onDrag}
      onDragOver={accept}
      onDrop={on.onDrop}
    >
      {full ? (
        <span className={styles['grip']} aria-hidden="true">
          <Icon name="grip" size={16} />
        </span>
      ) : null}
      <span className={styles['place']} aria-hidden="true">
        {place}
      </span>
      <button
        type="button"
        className={styles['open']}
        aria-current={isOpen ? 'true' : undefined}
        aria-keyshortcuts={full ? 'Control+ArrowUp Control+ArrowDown' : undefined}
        {...item}
        onClick={on.onOpen}
        onKeyDown={pressed}
      >
        <bdi id={nameId} className={styles['name']}>
          {rule.name}
        </bdi>
        <span className={styles['what']}>{isChanged ? t('unsaved') : t(`actions.${rule.action}.short`)}</span>
      </button>
      {full ? <Switch labelledBy={nameId} on={rule.enabled} disabled={offline} alone onChange={on.onSwitch} /> : null}
    </li>
  )
}

function Lists({ rules, selected, changedLists, onSelect }: Omit<Props, 'changed' | 'onSaved'>) {
  const t = useTexts('rules')
  return (
    <section aria-label={t('lists.title')}>
      <div className={styles['listsHead']}>
        <h2 className={styles['label']}>{t('lists.title')}</h2>
        <IconButton icon="plus" label={t('lists.new')} onClick={() => onSelect({ kind: 'list', key: '' })} />
      </div>
      <ul className={styles['rules']}>
        {rules.lists.map(({ name, kind, words, foreign }) => (
          <li
            key={name}
            className={cx(styles['row'], selected?.kind === 'list' && selected.key === name && styles['on'])}
          >
            <button
              type="button"
              className={styles['open']}
              aria-current={selected?.kind === 'list' && selected.key === name ? 'true' : undefined}
              onClick={() => onSelect({ kind: 'list', key: name })}
            >
              <bdi className={styles['name']}>{name}</bdi>
              <span className={styles['what']}>
                {changedLists.has(name)
                  ? t('unsaved')
                  : foreign === undefined
                    ? t(`lists.count.${kind}`, { count: words.length })
                    : foreign}
              </span>
            </button>
            <Icon name="chevron-right" size={15} />
          </li>
        ))}
      </ul>
    </section>
  )
}
