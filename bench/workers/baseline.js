// The baseline: each request is one trivial batch on D1. No service that queries D1 can be faster.

export default {
  async fetch(_request, env) {
    await env.DB.batch([env.DB.prepare("SELECT 1")]);
    return new Response(null, { status: 200 });
  },
};
