// A worker whose configuration is missing: it says so, and ends.
console.error('DATABASE_URL is not set');
setTimeout(() => process.exit(1), 300);
