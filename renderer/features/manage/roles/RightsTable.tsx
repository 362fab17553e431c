import { memo, useRef, useState, type KeyboardEvent } from 'react'
import type { Role } from '#shared/domain/manage/directory.ts'
import { flagNeeded, isKept } from '#shared/rules/channels/grants.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useMenu } from '../../../ui/Menu/Menu.tsx'
import { Tooltip } from '../../../ui/Popover/Popover.tsx'
import { useFeatureName, useRoleHint, useRoleName, type RightGroup, type RightRow } from './words.ts'
import styles from './Roles.module.css'

export type Cell = { readonly role: string; readonly right: string }

export const cellKey = ({ role, right }: Cell): string => `${role} ${right}`

type Props = {
  readonly label: string
  readonly groups: readonly RightGroup[]
  readonly roles: readonly Role[]
  readonly grants: Readonly<Record<string, readonly string[]>>
  /** Features that are off in the channel type. */
  readonly off: readonly string[]
  /** By {@link cellKey}: what the viewer changed and has not saved. */
  readonly changes: ReadonlyMap<string, boolean>
  readonly onToggle: (cell: Cell, on: boolean) => void
  readonly onDelete: (role: string) => void
}

/**
 * Rights by role. One tab stop: arrows move by cell, Home and End to the ends of a row, Page Up and Page Down by ten rows,
 * Space changes.
 */
export function RightsTable({ label, groups, roles, ...more }: Props) {
  const t = useTexts('roles')
  const table = useRef<HTMLTableElement>(null)
  const rows = groups.flatMap((group) => group.rows)
  const [at, setAt] = useState({ row: 0, column: 0 })
  const active = { row: Math.min(at.row, rows.length - 1), column: Math.min(at.column, roles.length - 1) }
  const app = roles.filter(({ scope }) => scope === 'app')
  const inChannel = roles.length - app.length
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || !isCell(event.target)) return
    const move = moveOf(event.key, roles.length)
    if (move === undefined) return
    event.preventDefault()
    const to = {
      row: clamp(active.row + move.row, rows.length),
      column: clamp(active.column + move.column, roles.length),
    }
    setAt(to)
    table.current?.querySelector<HTMLElement>(`[data-cell="${to.row}:${to.column}"]`)?.focus()
  }
  return (
    <div className={styles['scroll']} data-region="messages">
      <table ref={table} className={styles['table']} aria-label={label} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <td aria-hidden="true" />
            {app.length === 0 ? null : (
              <th scope="colgroup" colSpan={app.length}>
                {t('scopes.app')}
              </th>
            )}
            {inChannel === 0 ? null : (
              <th scope="colgroup" colSpan={inChannel}>
                {t('scopes.channel')}
              </th>
            )}
          </tr>
          <tr>
            <th scope="col">{t('right')}</th>
            {roles.map((role, column) => (
              <RoleHead key={role.name} role={role} starts={column === app.length} onDelete={more.onDelete} />
            ))}
          </tr>
        </thead>
        {groups.map((group, place) => (
          <tbody key={group.name}>
            <tr className={styles['group']}>
              <th scope="rowgroup" colSpan={roles.length + 1}>
                {group.title}
              </th>
            </tr>
            {group.rows.map((row, position) => {
              const index = firstRowOf(groups, place) + position
              return (
                <Row
                  key={row.name}
                  row={row}
                  at={index}
                  firstInChannel={app.length}
                  active={index === active.row ? active.column : undefined}
                  onFocus={setAt}
                  roles={roles}
                  {...more}
                />
              )
            })}
          </tbody>
        ))}
      </table>
    </div>
  )
}

/** The position of a group's first row among all rows. */
const firstRowOf = (groups: readonly { readonly rows: readonly unknown[] }[], place: number): number =>
  groups.slice(0, place).reduce((sum, { rows }) => sum + rows.length, 0)

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value))

const isCell = (target: EventTarget): boolean => target instanceof HTMLElement && target.dataset['cell'] !== undefined

const PAGE = 10

function moveOf(key: string, columns: number): { row: number; column: number } | undefined {
  const moves: Readonly<Record<string, { row: number; column: number }>> = {
    ArrowDown: { row: 1, column: 0 },
    ArrowUp: { row: -1, column: 0 },
    ArrowRight: { row: 0, column: 1 },
    ArrowLeft: { row: 0, column: -1 },
    PageDown: { row: PAGE, column: 0 },
    PageUp: { row: -PAGE, column: 0 },
    Home: { row: 0, column: -columns },
    End: { row: 0, column: columns },
  }
  return Object.hasOwn(moves, key) ? moves[key] : undefined
}

type RoleHeadProps = {
  readonly role: Role
  /** The first role of channels. */
  readonly starts: boolean
  readonly onDelete: (role: string) => void
}

function RoleHead({ role, starts, onDelete }: RoleHeadProps) {
  const t = useTexts('roles')
  const nameOf = useRoleName()
  const hintOf = useRoleHint()
  const name = nameOf(role.name)
  const menu = useMenu({
    label: t('roleMenu', { role: name }),
    items: () => [
      { id: 'delete', label: t('delete'), icon: 'trash', danger: true, onSelect: () => onDelete(role.name) },
    ],
  })
  return (
    <th scope="col" className={cx(starts && styles['edge'])}>
      {role.custom ? (
        <Tooltip text={hintOf(role)} describes>
          <button type="button" className={styles['role']} {...menu.triggerProps}>
            <bdi className="ellipsis">{name}</bdi>
            <Icon name="chevron-down" size={12} />
          </button>
        </Tooltip>
      ) : (
        <Tooltip text={`${hintOf(role)} ${role.name}`}>
          <span className={styles['role']}>{name}</span>
        </Tooltip>
      )}
      {menu.menu}
    </th>
  )
}

type RowProps = Omit<Props, 'label' | 'groups' | 'onDelete'> & {
  readonly row: RightRow
  readonly at: number
  readonly firstInChannel: number
  /** The column of the tab stop, if it is in this row. */
  readonly active: number | undefined
  readonly onFocus: (at: { row: number; column: number }) => void
}

const Row = memo(function Row({ row, at, roles, grants, off, changes, active, ...more }: RowProps) {
  const { firstInChannel, onFocus, onToggle } = more
  const t = useTexts('roles')
  const roleName = useRoleName()
  const featureName = useFeatureName()
  const flag = flagNeeded(row.name)
  const missing = flag !== undefined && off.includes(flag) ? featureName(flag) : undefined
  return (
    <tr className={cx(missing !== undefined && styles['off'])}>
      <Tooltip
        text={
          <>
            {row.hint === undefined ? null : <span>{row.hint} </span>}
            <code dir="ltr">{row.name}</code>
          </>
        }
      >
        <th scope="row">
          {row.title}
          {missing === undefined ? null : (
            <span className={styles['offMark']} title={t('offReason', { feature: missing })}>
              {t('off')}
            </span>
          )}
        </th>
      </Tooltip>
      {roles.map(({ name: role }, column) => {
        const cell = { role, right: row.name }
        const changed = changes.get(cellKey(cell))
        const on = changed ?? grants[role]?.includes(row.name) === true
        const kept = isKept(role, row.name)
        const words = { right: row.title, role: roleName(role) }
        const why = kept ? t('kept') : missing === undefined ? undefined : t('offReason', { feature: missing })
        return (
          <td key={role} className={cx(column === firstInChannel && styles['edge'])}>
            <button
              type="button"
              role="checkbox"
              aria-checked={on}
              aria-disabled={kept || undefined}
              {...{ 'aria-description': why }}
              aria-label={`${t('cell', words)}${changed === undefined ? '' : `, ${t('changed')}`}`}
              title={why}
              data-cell={`${at}:${column}`}
              tabIndex={active === column ? 0 : -1}
              className={cx(styles['cell'], on && styles['on'], changed !== undefined && styles['changed'])}
              onFocus={() => onFocus({ row: at, column })}
              onClick={() => kept || onToggle(cell, !on)}
            >
              {on ? <Icon name="check" size={16} /> : <span aria-hidden="true">–</span>}
            </button>
          </td>
        )
      })}
    </tr>
  )
})
