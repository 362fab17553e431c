import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Popover } from '../../../ui/Popover/Popover.tsx'
import { fieldIn, isBuiltIn, MAX_COLUMNS, moved, type ColumnId } from './columns.ts'
import styles from './Directory.module.css'

type Props = {
  /** The chosen ones first. */
  readonly all: readonly ColumnId[]
  readonly chosen: readonly ColumnId[]
  readonly onChange: (columns: readonly ColumnId[]) => void
}

/** Which columns the directory has, and in which order. */
export function ColumnsMenu({ all, chosen, onChange }: Props) {
  const t = useTexts('directory')
  const [anchor, setAnchor] = useState<Element>()
  const isFull = chosen.length >= MAX_COLUMNS
  const name = (id: ColumnId): string => (isBuiltIn(id) ? t(`columns.${id}`) : fieldIn(id))
  return (
    <>
      <IconButton
        icon="columns"
        size="small"
        label={t('columns.open')}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor((open) => (open === undefined ? currentTarget : undefined))}
      />
      {anchor === undefined ? null : (
        <Popover label={t('columns.open')} anchor={anchor} onClose={() => setAnchor(undefined)}>
          <ul className={styles['columnList']}>
            {all.map((id) => {
              const at = chosen.indexOf(id)
              const isOn = at >= 0
              return (
                <li key={id} className={styles['columnRow']}>
                  <label className={styles['check']}>
                    <input
                      type="checkbox"
                      checked={isOn}
                      disabled={!isOn && isFull}
                      onChange={() => onChange(isOn ? chosen.filter((each) => each !== id) : [...chosen, id])}
                    />
                    <bdi className="ellipsis">{name(id)}</bdi>
                  </label>
                  {isOn ? (
                    <>
                      <IconButton
                        icon="arrow-up"
                        size="tiny"
                        label={t('columns.earlier', { column: name(id) })}
                        disabled={at === 0}
                        onClick={() => onChange(moved(chosen, id, -1))}
                      />
                      <IconButton
                        icon="arrow-down"
                        size="tiny"
                        label={t('columns.later', { column: name(id) })}
                        disabled={at === chosen.length - 1}
                        onClick={() => onChange(moved(chosen, id, 1))}
                      />
                    </>
                  ) : null}
                </li>
              )
            })}
          </ul>
          {isFull ? <p className={styles['hint']}>{t('columns.full', { count: MAX_COLUMNS })}</p> : null}
        </Popover>
      )}
    </>
  )
}
