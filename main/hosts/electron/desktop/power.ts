import { powerMonitor } from 'electron'
import type { PowerCapability } from '../../host.ts'

/** Events of the system: sleep, lock and power supply. */
export function electronPower(): PowerCapability {
  return {
    onSuspend: (fn) => void powerMonitor.on('suspend', fn),
    onResume: (fn) => void powerMonitor.on('resume', fn),
    onLock: (fn) => void powerMonitor.on('lock-screen', fn),
    onUnlock: (fn) => void powerMonitor.on('unlock-screen', fn),
    idleMs: () => powerMonitor.getSystemIdleTime() * 1_000,
    onBattery(fn) {
      powerMonitor.on('on-battery', () => fn(true))
      powerMonitor.on('on-ac', () => fn(false))
      fn(powerMonitor.onBatteryPower)
    },
  }
}
