import { useAppDispatch } from '../../../store/hooks.ts'
import type { SidebarRow } from '../../../registry/feature.ts'
import { Count } from '../../../ui/Mark/Count.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { useIsOpen } from '../TopRows.tsx'
import styles from './Rail.module.css'

type Props = { readonly rows: readonly SidebarRow[]; readonly tabIndexOf: (id: string) => 0 | -1 }

/** The rows above the sections as icons below the search. */
export function RailPlaces({ rows, tabIndexOf }: Props) {
  return rows.map((row) => <Place key={row.id} row={row} tabIndex={tabIndexOf(row.id)} />)
}

function Place({ row, tabIndex }: { readonly row: SidebarRow; readonly tabIndex: 0 | -1 }) {
  const dispatch = useAppDispatch()
  const isOpen = useIsOpen(row)
  return (
    <row.Content>
      {({ title, label = title, count = 0 }) => (
        <Tooltip text={label} side="end">
          <button
            type="button"
            className={styles['item']}
            tabIndex={tabIndex}
            data-roving-id={row.id}
            aria-current={isOpen ? 'page' : undefined}
            aria-label={label}
            onClick={() => dispatch(row.open)}
          >
            <Icon name={row.icon} size={19} />
            {count === 0 ? null : (
              <span className={styles['corner']}>
                <Count value={count} />
              </span>
            )}
          </button>
        </Tooltip>
      )}
    </row.Content>
  )
}
