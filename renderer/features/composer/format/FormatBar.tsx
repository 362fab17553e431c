import { Fragment } from 'react'
import type { HostInfo } from '#shared/bridge/host-info.ts'
import { useTexts } from '../../../i18n/index.ts'
import { keysOf as keycapsOf } from '../../../lib/text/chords.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useHost } from '../../../store/hooks.ts'
import { useChordNow } from '../../../store/window/shortcuts.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import type { Format } from './markdown.ts'
import { FORMAT_KEYS } from '../field/shortcuts.ts'
import styles from '../Composer.module.css'

const GROUPS: readonly (readonly { readonly format: Format; readonly icon: IconName }[])[] = [
  [
    { format: 'bold', icon: 'bold' },
    { format: 'italic', icon: 'italic' },
    { format: 'strike', icon: 'strike' },
  ],
  [
    { format: 'code', icon: 'code' },
    { format: 'codeBlock', icon: 'code-block' },
    { format: 'quote', icon: 'quote' },
  ],
  [
    { format: 'bulletList', icon: 'list' },
    { format: 'numberList', icon: 'list-ordered' },
    { format: 'link', icon: 'link' },
  ],
]
const IDS = GROUPS.flat().map(({ format }) => format)

/** Formatting buttons. One tab stop; each tooltip shows the shortcut. */
export function FormatBar({ onFormat }: { readonly onFormat: (format: Format) => void }) {
  const t = useTexts('composer')
  const host = useHost()
  const chordNow = useChordNow()
  const { containerProps, itemProps } = useRoving({ ids: IDS, orientation: 'horizontal', wrap: true })
  const { ref, ...container } = containerProps
  return (
    <div
      ref={ref as React.RefObject<HTMLDivElement | null>}
      {...container}
      role="toolbar"
      tabIndex={-1}
      aria-label={t('formatting')}
      className={styles['format']}
    >
      {GROUPS.map((group, index) => (
        <Fragment key={group[0]?.format}>
          {index > 0 ? <span className={styles['gap']} aria-hidden="true" /> : null}
          {group.map(({ format, icon }) => (
            <IconButton
              key={format}
              {...itemProps(format)}
              icon={icon}
              size="small"
              iconSize={16}
              tooltipSide="above"
              label={t(format)}
              {...keysOf(format, host, chordNow)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onFormat(format)}
            />
          ))}
        </Fragment>
      ))}
    </div>
  )
}

/** In a browser Ctrl Shift C opens the developer tools, so the tooltip shows no shortcut there. */
function keysOf(
  format: Format,
  { kind, os }: Pick<HostInfo, 'kind' | 'os'>,
  chordNow: ReturnType<typeof useChordNow>,
): { keys?: readonly string[] } {
  if (format === 'code' && kind === 'browser') return {}
  const chord = chordNow('composer', ['Mod', ...FORMAT_KEYS[format]].join('+'))
  return chord === undefined ? {} : { keys: keycapsOf(chord, os) }
}
