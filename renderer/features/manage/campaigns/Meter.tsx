import styles from './Campaigns.module.css'

type Props = { /** 0 to 1. */ readonly value: number; readonly label: string; readonly large?: boolean }

/** How much of something is done. */
export function Meter({ value, label, large = false }: Props) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value * 100)}
      className={large ? styles['meterLarge'] : styles['meter']}
    >
      <span style={{ inlineSize: `${value * 100}%` }} />
    </span>
  )
}
