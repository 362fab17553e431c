import { Fragment, type KeyboardEvent } from 'react'
import { FAILING_AFTER, INTEGRATION_KINDS, type Integration } from '#shared/domain/manage/integrations.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { toggled } from '../../../lib/toggled.ts'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { Square, titleOf, useAbout } from './words.tsx'
import styles from './Integrations.module.css'

type Props = {
  /** Grouped by kind. */
  readonly rows: readonly Integration[]
  readonly openId: string | undefined
  readonly selected: ReadonlySet<string>
  /** The detail beside it shows the row that has the focus. */
  readonly follows: boolean
  /** `isKey`: the detail gets the focus. */
  readonly onOpen: (id: string, isKey: boolean) => void
  readonly onSelect: (ids: ReadonlySet<string>) => void
  readonly onRevoke: (integration: Integration) => void
}

/** All programs by kind. Arrows move, Enter goes on to the detail, Delete revokes. */
export function IntegrationList({ rows, openId, selected, follows, onOpen, onSelect, onRevoke }: Props) {
  const t = useTexts('integrations')
  const roving = useRoving({ ids: rows.map(({ id }) => id), initialId: openId })
  const { ref, ...listeners } = roving.containerProps
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      className={styles['list']}
      role="group"
      aria-label={t('title')}
      {...listeners}
    >
      {INTEGRATION_KINDS.filter((kind) => rows.some((each) => each.kind === kind)).map((kind) => (
        <Fragment key={kind}>
          <h2 className={styles['group']}>{t(`groups.${kind}`)}</h2>
          <ul aria-label={t(`groups.${kind}`)} className={styles['rows']}>
            {rows
              .filter((each) => each.kind === kind)
              .map((integration) => {
                const { id } = integration
                return (
                  <Row
                    key={id}
                    integration={integration}
                    isOpen={id === openId}
                    isSelected={selected.has(id)}
                    selecting={selected.size > 0}
                    item={roving.itemProps(id)}
                    onFocus={() => {
                      if (follows && id !== openId) onOpen(id, false)
                    }}
                    onOpen={(isKey) => onOpen(id, isKey)}
                    onToggle={() => onSelect(toggled(selected, id))}
                    onRevoke={() => onRevoke(integration)}
                  />
                )
              })}
          </ul>
        </Fragment>
      ))}
    </div>
  )
}

type RowProps = {
  readonly integration: Integration
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly selecting: boolean
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onFocus: () => void
  readonly onOpen: (isKey: boolean) => void
  readonly onToggle: () => void
  readonly onRevoke: () => void
}

function Row({ integration, isOpen, isSelected, selecting, item, ...on }: RowProps) {
  const t = useTexts('integrations')
  const about = useAbout(integration)
  const name = titleOf(integration)
  const isGone = integration.revokedAt !== undefined
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' || isGone) return
    event.preventDefault()
    on.onRevoke()
  }
  return (
    <li
      className={cx(styles['row'], isOpen && styles['on'], isGone && styles['gone'], selecting && styles['selecting'])}
    >
      <button
        type="button"
        className={styles['open']}
        aria-current={isOpen ? 'true' : undefined}
        aria-keyshortcuts={isGone ? undefined : 'Delete'}
        {...item}
        onFocus={on.onFocus}
        onKeyDown={pressed}
        // A press of Enter has no clicks.
        onClick={({ detail }) => on.onOpen(detail === 0)}
      >
        <Square of={integration} />
        <span className={styles['names']}>
          <bdi className={cx(styles['name'], 'ellipsis')}>{name}</bdi>
          <span className={cx(styles['about'], 'ellipsis')}>{about}</span>
        </span>
        {integration.fails >= FAILING_AFTER && !isGone ? <Tag tone="danger">{t('failing.tag')}</Tag> : null}
      </button>
      {isGone ? null : (
        <input
          type="checkbox"
          className={styles['tick']}
          aria-label={t('select', { name })}
          checked={isSelected}
          tabIndex={item.tabIndex}
          onChange={on.onToggle}
        />
      )}
    </li>
  )
}
