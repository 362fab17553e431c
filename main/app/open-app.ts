import type { Host } from '#main/hosts/host.ts'
import { managedStore } from '#main/settings/policies/managed-store.ts'
import { openSettings } from '#main/settings/store.ts'
import { AccountRepository } from './accounts/account-repository.ts'
import { Certificates } from './network/certificates.ts'
import type { Composed, LaunchOptions } from './launch-options.ts'
import { AppLock } from './lock/app-lock.ts'
import { startOf } from './accounts/first-account.ts'
import { finishAllLeaving } from './accounts/leaving.ts'
import { useIdentity } from './network/identity.ts'
import { finishDeleting } from './local-workspace/local-workspace.ts'
import { useProxy } from './network/network.ts'
import { allowedStart } from './policies/start.ts'
import { type Parts, AppController } from './app-controller.ts'

/**
 * Composes the parts on a host. The account of the last run is open when this resolves, from the cache alone: no request
 * is awaited.
 */
export async function openApp(host: Host, options: LaunchOptions, parts: Parts): Promise<Composed> {
  const policies = host.info.managed?.values ?? {}
  const store = managedStore(openSettings(host.paths.data, host.log), policies)
  await finishAllLeaving(host, store)
  await finishDeleting(host.paths.data)
  // The proxy is set before any request, including those for tokens.
  const certificates = new Certificates(host)
  certificates.apply()
  await useIdentity(host, store)
  await useProxy(host, store.settings())
  const start = allowedStart(await startOf(options, store.profile(), host), policies)
  const repository = new AccountRepository(store, start.save ? undefined : start.ref)
  const { clock } = host.ports
  const minutes = (): number => store.settings().lockMinutes
  const lock = await AppLock.open({ secrets: host.secrets, clock, power: host.power, minutes })
  const app = new AppController({ host, store, parts, repository, certificates, lock })
  await app.open(start)
  await app.startDesktop()
  return {
    ready: () => Promise.resolve(),
    startsHidden: () => app.startsHidden(),
    follow: (link) => app.follow(link),
    stop: () => app.stop(),
  }
}
