import { join } from 'node:path'
import { safeStorage } from 'electron'
import type { SecretStore } from '../host.ts'
import { jsonSecrets, memorySecrets } from '../node/secrets-file.ts'

/**
 * Secrets encrypted by the system's keychain. Where Linux has none, Electron would use a key that everyone knows
 * (`basic_text`): then secrets stay in memory only, and the settings screen shows it. A secret that cannot be decrypted
 * any more (another keychain, another user) counts as absent.
 */
export async function keychainSecrets(dataFolder: string): Promise<SecretStore> {
  if (!(await isTrustworthy())) return memorySecrets()
  return jsonSecrets(join(dataFolder, 'secrets.json'), 'keychain', {
    seal: async (value) => (await safeStorage.encryptStringAsync(value)).toString('base64'),
    async unseal(sealed) {
      try {
        return (await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'))).result
      } catch {
        // Encrypted by another keychain: the user signs in again.
        return undefined
      }
    },
  })
}

async function isTrustworthy(): Promise<boolean> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return false
  return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text'
}
