// npx fake-calendar exec -- ./gradlew --no-daemon test    (google-api-services-calendar, google-http-client-gson, kotlin-test)
import com.google.api.client.googleapis.json.GoogleJsonResponseException
import com.google.api.client.http.javanet.NetHttpTransport
import com.google.api.client.json.gson.GsonFactory
import com.google.api.services.calendar.Calendar
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import kotlin.test.BeforeTest
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith

class KotlinCalendarTest {
    private val address: String = System.getenv("FAKE_CALENDAR_URL")
    private val api = Calendar.Builder(NetHttpTransport(), GsonFactory.getDefaultInstance()) {
        it.headers.setAuthorization("Bearer kotlin~alice@example.com")
    }.setRootUrl("$address/").setApplicationName("tests").build()

    /** Sends a request to the world "kotlin", and returns its status. */
    private fun control(verb: String, path: String, body: String = ""): Int {
        val request = HttpRequest.newBuilder(URI("$address/w/kotlin/_control$path"))
            .header("Content-Type", "application/json").method(verb, HttpRequest.BodyPublishers.ofString(body)).build()
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode()
    }

    @BeforeTest
    fun reset() { control("POST", "/reset") }

    @Test
    fun `a call is refused once`() {
        control("POST", "/faults", """{"on": "events.quickAdd", "do": {"fail": "rateLimitExceeded"}}""")

        val error = assertFailsWith<GoogleJsonResponseException> { api.events().quickAdd("primary", "Lunch").execute() }
        api.events().quickAdd("primary", "Lunch").execute()

        assertEquals(403, error.statusCode)
        assertEquals(listOf("Lunch"), api.events().list("primary").execute().items.map { it.summary })
        assertEquals(200, control("GET", "/faults/verify"))
    }
}
