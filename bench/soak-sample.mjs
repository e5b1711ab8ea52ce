// Loaded into kprobe by bench/soak.mjs: appends to SOAK_FILE, every SOAK_SECONDS, what the process holds after a collection.
import { appendFileSync, readdirSync } from 'node:fs';

const { SOAK_FILE, SOAK_SECONDS } = process.env;

setInterval(
  () => {
    globalThis.gc();
    const { heapUsed, rss } = process.memoryUsage();
    const sample = {
      seconds: process.uptime(),
      heap: heapUsed / 2 ** 20,
      resident: rss / 2 ** 20,
      descriptors: readdirSync('/proc/self/fd').length,
      timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
      cpu: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    };
    appendFileSync(SOAK_FILE, `${JSON.stringify(sample)}\n`);
  },
  Number(SOAK_SECONDS) * 1000,
).unref();
